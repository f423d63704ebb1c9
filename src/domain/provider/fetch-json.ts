import type { SecureContext, TLSSocket } from 'node:tls';
import { readCertificate } from '../certificate/read-certificate.js';
import { refusalReason } from '../name/ip-address.js';
import { type ProbeFailure, probeFailureOf } from '../probe/probe-failure.js';
import { type ProbeLimits, withinTime } from '../probe/probe-time.js';
import { openTls } from '../probe/probe-tls.js';

/** A document to fetch from one of these addresses. */
export interface JsonRequest {
  /** An https URL. Its host is sent in the Host header and SNI, but not resolved. */
  url: URL;
  addresses: readonly string[];
  trust: SecureContext;
}

const ADDRESSES_TRIED_MAX = 2;
const HTTPS_PORT = 443;
const BODY_BYTES_MAX = 65_536;
const HEADER_BYTES_MAX = 16_384;

/**
 * Fetches a JSON document of at most 64 KiB with an untrusted URL. Connects to public addresses only, requires a trusted
 * certificate for the host, and follows no redirects. Returns `undefined` if that fails.
 */
export async function fetchJson(request: JsonRequest, limits: ProbeLimits): Promise<unknown> {
  const { url, addresses, trust } = request;
  const { route } = limits;
  for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
    const routed = route?.({ address, port: HTTPS_PORT });
    if (routed === undefined && refusalReason(address) !== undefined) continue;
    const endpoint = routed ?? { address, port: HTTPS_PORT };
    const body = await readBody({ url, ...endpoint, trust }, limits);
    if (typeof body === 'string') return parsed(body);
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the body of a response with status 200 from one address. The caller checks the address. */
export function readBody(
  { url, address, port, trust }: { url: URL; address: string; port: number; trust: SecureContext },
  limits: ProbeLimits,
): Promise<string | ProbeFailure> {
  return withinTime<string>(limits, (end) => {
    const fail = (detail: string): void => {
      end({ kind: 'refused', detail });
    };
    const createConnection = (): TLSSocket => {
      const socket = openTls({ address, port, host: url.hostname, trust });
      return socket.once('secureConnect', () => {
        const certificate = readCertificate(socket, url.hostname, undefined);
        const isTrusted = certificate?.isForHost === true && certificate.distrust === undefined;
        if (!isTrusted) socket.destroy(new Error('the certificate is not trusted'));
      });
    };
    const request = process
      .getBuiltinModule('node:http')
      .request({
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, accept: 'application/json', 'user-agent': 'petstore-domain-check' },
        createConnection,
        maxHeaderSize: HEADER_BYTES_MAX,
      })
      .once('response', (response) => {
        if (response.statusCode !== 200) {
          fail(`HTTP ${String(response.statusCode)}`);
          return;
        }
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > BODY_BYTES_MAX) fail('more than 64 KiB');
          else chunks.push(chunk);
        });
        response.once('end', () => {
          end(Buffer.concat(chunks).toString('utf8'));
        });
        response.once('error', (error) => {
          end(probeFailureOf(error));
        });
      })
      .on('error', (error) => {
        end(probeFailureOf(error));
      })
      .end();
    return () => {
      request.destroy();
    };
  });
}
