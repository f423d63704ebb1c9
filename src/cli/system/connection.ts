import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';

/** The connection of a request. */
export interface Connection {
  /** IP address of the peer: the proxy, if there is one. */
  address: string;
  /** `undefined` for plain http. */
  tls?: ConnectionTls;
}

export interface ConnectionTls {
  /** Such as `TLSv1.3`. */
  protocol: string;
  /** Common name of the certificate's issuer. */
  issuer: string;
  /** End of the certificate's validity, in milliseconds since the epoch. */
  validTo: number;
}

/**
 * Reports the connections of all later requests of this process, through Node's diagnostics channel. A TLS connection is
 * reported before its certificate is verified. Connections to a proxy are reported only with a tunnel to the service.
 */
export function observeConnections(onConnect: (connection: Connection) => void): void {
  const report = (socket: Socket): void => {
    onConnect(describeConnection(socket));
  };
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    if (request.method === 'CONNECT') return;
    if (request.socket === null) request.once('socket', (socket) => watch(socket, report));
    else watch(request.socket, report);
  });
}

function watch(socket: Socket, report: (socket: Socket) => void): void {
  // Node verifies the certificate in its own listener for `secure`, and destroys an untrusted socket there.
  if (isTls(socket) && socket.getPeerX509Certificate() === undefined)
    socket.prependOnceListener('secure', () => {
      report(socket);
    });
  else if (socket.connecting)
    socket.once('connect', () => {
      report(socket);
    });
  else report(socket);
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}

function describeConnection(socket: Socket): Connection {
  const address = socket.remoteAddress ?? 'unknown';
  if (!isTls(socket)) return { address };
  const certificate = socket.getPeerCertificate();
  const tls = {
    protocol: String(socket.getProtocol()),
    issuer: issuerOf(certificate),
    validTo: Date.parse(certificate.valid_to),
  };
  return { address, tls };
}

/** Node omits fields that the certificate lacks, although its types don't say so. */
function issuerOf({ issuer }: PeerCertificate): string {
  const { O, CN } = (issuer ?? {}) as { O?: string | string[]; CN?: string | string[] };
  return [CN ?? O ?? 'an unnamed issuer'].flat().join(', ');
}
