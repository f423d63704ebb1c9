import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { readCertificate, type ServedCertificate } from './read-certificate.js';
import { type ProbeLimits, withinTime } from './probe-failure.js';
import { type ProbeFailure, probeFailureOf } from './probe-failure.js';
import { openTls } from './probe-tls.js';

/** One request to one address. */
export interface HttpRequest {
  /** Its host is sent in the Host header and SNI, but not resolved. */
  url: URL;
  address: string;
  port: number;
  /** Host of the platform, if known. */
  target: string | undefined;
  trust: SecureContext;
}

/** A response or failure. The certificate is set even if no response followed. */
export interface HttpResult {
  response: HttpResponse | ProbeFailure;
  certificate?: ServedCertificate;
  /** The headers of the response, untrusted. */
  headers?: IncomingHttpHeaders;
}

/** The head of a response, as received. */
export interface HttpResponse {
  kind: 'response';
  status: number;
  location: string | undefined;
}

/** The host without a final dot, as in SNI (RFC 6066, section 3) and certificates. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

const HEADER_BYTES_MAX = 16_384;

/** Requests a URL at one address, and reads only the head of the response. Follows no redirects. Never rejects. */
export async function requestHttp(options: HttpRequest, limits: ProbeLimits): Promise<HttpResult> {
  let certificate: ServedCertificate | undefined;
  let received: IncomingHttpHeaders | undefined;
  const onCertificate = (served: ServedCertificate | undefined): void => {
    certificate = served;
  };
  const response = await withinTime<HttpResponse>(limits, (end) => {
    const request = send(options, onCertificate);
    request.once('response', ({ statusCode = 0, headers }) => {
      received = headers;
      end({ kind: 'response', status: statusCode, location: headers.location });
    });
    // Without a listener, Node closes the connection without an error.
    request.once('upgrade', () => {
      end({ kind: 'response', status: 101, location: undefined });
    });
    request.on('error', (error) => {
      end(probeFailureOf(error));
    });
    return () => {
      request.destroy();
    };
  });
  return {
    response,
    ...(certificate !== undefined && { certificate }),
    ...(received !== undefined && { headers: received }),
  };
}

/** Sends the request to the given address, without a DNS query. */
function send(
  options: HttpRequest,
  onCertificate: (served: ServedCertificate | undefined) => void,
): ClientRequest {
  const { url, address, port, target, trust } = options;
  const connect = (): Socket => {
    if (url.protocol === 'http:')
      return process.getBuiltinModule('node:net').connect({ host: address, port });
    const socket = openTls({ address, port, host: hostOf(url), trust });
    return socket.once('secureConnect', () => {
      onCertificate(readCertificate(socket, hostOf(url), target));
    });
  };
  return process
    .getBuiltinModule('node:http')
    .request({
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, accept: '*/*', 'user-agent': 'petstore-domain-check' },
      createConnection: connect,
      maxHeaderSize: HEADER_BYTES_MAX,
    })
    .end();
}
