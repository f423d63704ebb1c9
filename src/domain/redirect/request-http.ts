import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { readCertificate, type SeenCertificate } from '../certificate/read-certificate.js';
import { type ProbeLimits, withinTime } from '../probe/probe-time.js';
import { type ProbeFailure, probeFailureOf } from '../probe/probe-failure.js';
import { openTls } from '../probe/probe-tls.js';

/** One request to one address. */
export interface HttpRequest {
  /** Its host is sent in the Host header and SNI. It is not looked up. */
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
  certificate?: SeenCertificate;
}

/** The head of a response, as received. */
export interface HttpResponse {
  kind: 'response';
  status: number;
  location: string | undefined;
}

const HEADER_BYTES_MAX = 16_384;

/** Requests a URL at one address, and reads only the head of the response. Follows no redirects. Never rejects. */
export async function requestHttp(options: HttpRequest, limits: ProbeLimits): Promise<HttpResult> {
  let certificate: SeenCertificate | undefined;
  const keep = (seen: SeenCertificate | undefined): void => {
    certificate = seen;
  };
  const response = await withinTime<HttpResponse>(limits, (end) => {
    const request = send(options, keep);
    request.once('response', ({ statusCode = 0, headers }) => {
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
  return { response, ...(certificate !== undefined && { certificate }) };
}

/** Connects to the address, without the system's resolver. */
function send(options: HttpRequest, keep: (seen: SeenCertificate | undefined) => void): ClientRequest {
  const { url, address, port, target, trust } = options;
  const connect = (): Socket => {
    if (url.protocol === 'http:')
      return process.getBuiltinModule('node:net').connect({ host: address, port });
    const socket = openTls({ address, port, host: url.hostname, trust });
    return socket.once('secureConnect', () => {
      keep(readCertificate(socket, url.hostname, target));
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
