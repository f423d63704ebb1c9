import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { SeenCertificate } from '../certificate/read-certificate.js';
import { readCertificate } from '../certificate/read-certificate.js';
import { type ProbeLimits, withinTime } from '../probe/probe-time.js';
import { type ProbeFailure, probeFailureOf } from '../probe/probe-failure.js';
import { openTls } from '../probe/probe-tls.js';
import type { HttpResponse } from './redirect-facts.js';

/** One request to one address. */
export interface HttpRequest {
  /** Its host goes into the Host header and SNI, and is not looked up. */
  url: URL;
  address: string;
  port: number;
  /** The platform's host, where it is known. */
  target: string | undefined;
  trust: SecureContext;
}

/** What came of it. The certificate also where no answer followed. */
export interface HttpOutcome {
  response: HttpResponse | ProbeFailure;
  certificate?: SeenCertificate;
}

const HEADER_BYTES_MAX = 16_384;

/** Asks for a URL at one address, and reads no more than the head of the answer. Follows nothing. Never rejects. */
export async function requestHttp(question: HttpRequest, limits: ProbeLimits): Promise<HttpOutcome> {
  let certificate: SeenCertificate | undefined;
  const keep = (seen: SeenCertificate | undefined): void => {
    certificate = seen;
  };
  const answer = await withinTime<HttpResponse>(limits, (end) => {
    const request = send(question, keep);
    request.once('response', ({ statusCode = 0, headers }) => {
      end({ kind: 'response', status: statusCode, location: headers.location });
    });
    // Without a listener, Node would drop the connection and tell nobody why.
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
  return { response: answer, ...(certificate !== undefined && { certificate }) };
}

/** Connects to an address, so that the system's resolver is asked nothing. */
function send(question: HttpRequest, keep: (seen: SeenCertificate | undefined) => void): ClientRequest {
  const { url, address, port, target, trust } = question;
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
