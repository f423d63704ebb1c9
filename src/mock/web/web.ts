import type { RequestListener } from 'node:http';
import type { SecureContext } from 'node:tls';
import type { MockClock } from '../service/clock.js';
import { type Authority, createAuthority } from './certificate.js';
import { bind, closeServer, type HttpServer } from './server.js';
import { type RedirectSite, type Site, sitesWith } from './sites.js';

/** Options of the web servers. */
export interface WebOptions {
  /**
   * Redirect entries that the platform serves, in addition to those of the built-in names.
   *
   * @default []
   */
  redirects?: readonly RedirectSite[] | undefined;
}

/** Ports of the web servers. */
export interface WebState {
  /** Always a loopback address. */
  readonly host: string;
  /** Port of the platform's server for http. */
  readonly httpPort: number;
  /** Port of the platform's server for https. */
  readonly httpsPort: number;
}

/** The web servers of the mock's names. */
export interface WebServer extends WebState {
  /** Certificate of the authority that signed the certificates, in PEM. It is new at each start. */
  readonly authority: string;
  /**
   * Returns where the server of an address in the built-in zones listens, for ports 80 and 443; `undefined` for other
   * addresses and ports.
   */
  route(endpoint: WebEndpoint): WebEndpoint | undefined;
}

/** An IP address and a port. */
export interface WebEndpoint {
  address: string;
  port: number;
}

const HOST = '127.0.0.1';
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const DAY_MS = 86_400_000;
/** The host of the other service in the built-in zones, and its certificate. */
const ELSEWHERE = 'www.elsewhere.test';
/** Hosts for which the other service has a certificate: one moved away from it, and one uses it as a proxy. */
const MOVED = 'moved.example.test';
const PROXIED = 'proxied.example.test';
/** Identifies the platform, as many platforms do, so that a probe can prove who serves a host. It passes a proxy. */
const PLATFORM_HEADERS = { 'x-petstore-platform': '9f3c1e7a2b5d4860' };
/** A client can send any number of names, and each certificate takes memory. */
const CONTEXTS_MAX = 64;
const PLATFORM_NAMES = ['platform.test', '*.platform.test'];
/** The addresses of the platform and of the other service (RFC 5737, RFC 3849). */
const PLATFORM = ['192.0.2.80', '2001:db8::80'];
const OTHERS = ['198.51.100.9', '2001:db8:bad::9'];

/** @throws the system's error if a port can't be opened. */
export async function listenWeb(
  clock: MockClock,
  { redirects = [] }: WebOptions = {},
): Promise<WebServer & { reset(): void; close(): Promise<void> }> {
  const authority = createAuthority('Petstore mock authority', clock.now());
  const open: HttpServer[] = [];
  const caches: Map<string, SecureContext>[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map((server) => closeServer(server, 0)));
  };
  const start = async (siteOf: (host: string) => Site): Promise<{ http: number; https: number }> => {
    const contexts = new Map<string, SecureContext>();
    caches.push(contexts);
    const servers = createServers(siteOf, contexts, authority, clock);
    open.push(servers.http, servers.https);
    return { http: await bind(servers.http, 0, HOST), https: await bind(servers.https, 0, HOST) };
  };
  try {
    const siteOf = sitesWith(redirects);
    const platform = await start((host) => ({ ...siteOf(host), headers: PLATFORM_HEADERS }));
    const other = await start((host) => ({
      certificate: host === MOVED || host === PROXIED ? 'valid' : 'other-name',
      ...(host === PROXIED ? { headers: PLATFORM_HEADERS } : {}),
    }));
    return {
      host: HOST,
      httpPort: platform.http,
      httpsPort: platform.https,
      authority: authority.certificate,
      route({ address, port }) {
        const ports = PLATFORM.includes(address) ? platform : OTHERS.includes(address) ? other : undefined;
        if (ports === undefined || (port !== HTTP_PORT && port !== HTTPS_PORT)) return undefined;
        return { address: HOST, port: port === HTTPS_PORT ? ports.https : ports.http };
      },
      reset() {
        for (const contexts of caches) contexts.clear();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Not imports: on Node 22 and later, importing node:http in an ES module also loads undici. */
function createServers(
  siteOf: (host: string) => Site,
  contexts: Map<string, SecureContext>,
  authority: Authority,
  clock: MockClock,
) {
  const contextOf = (host: string): SecureContext | undefined => {
    const known = contexts.get(host);
    if (known !== undefined) return known;
    const created = createContext(host, siteOf(host), authority, clock.now());
    if (created === undefined) return undefined;
    const [oldest = ''] = contexts.size >= CONTEXTS_MAX ? contexts.keys() : [];
    contexts.delete(oldest);
    contexts.set(host, created);
    return created;
  };
  const listener = siteListener(siteOf);
  const SNICallback = (name: string, done: (error: Error | null, context?: SecureContext) => void): void => {
    const context = contextOf(name.toLowerCase());
    // An error closes the connection during the handshake, as a server without TLS for the host does.
    if (context === undefined) done(new Error(`No TLS for ${name}`));
    else done(null, context);
  };
  const { createServer } = process.getBuiltinModule('node:http');
  const http = createServer(listener);
  const decrypted = createServer(listener);
  // Not node:https, because Bun 1.4 never calls the SNICallback of its servers.
  const https = process
    .getBuiltinModule('node:tls')
    .createServer({ SNICallback, ALPNProtocols: ['http/1.1'] }, (socket) => {
      decrypted.emit('connection', socket);
    });
  // A client that ends the handshake is not an error of the server.
  https.on('tlsClientError', (_error, socket) => socket.destroy());
  const closeAllConnections = (): void => decrypted.closeAllConnections();
  return { http, https: Object.assign(https, { closeAllConnections }) };
}

/** Returns the certificate of a host; `undefined` without TLS. */
function createContext(
  host: string,
  { certificate: kind = 'valid' }: Site,
  authority: Authority,
  now: number,
): SecureContext | undefined {
  if (kind === 'none') return undefined;
  const names = kind === 'unissued' ? PLATFORM_NAMES : [kind === 'other-name' ? ELSEWHERE : host];
  // Ten years, because TLS checks the dates by the clock of the machine, which may differ from the mock's.
  const daysLeft = kind === 'expired' ? -1 : kind === 'expiring' ? 3.5 : 3_650;
  const request = { names, validFrom: now - 3_650 * DAY_MS, validTo: now + daysLeft * DAY_MS };
  const issued = kind === 'self-signed' ? authority.selfSigned(request) : authority.issue(request);
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  return createSecureContext({ cert: issued.certificate, key: issued.key });
}

function siteListener(siteOf: (host: string) => Site): RequestListener {
  return ({ url = '/', headers }, response) => {
    const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const { redirect, headers: siteHeaders } = siteOf(host);
    if (redirect === undefined) {
      response
        .writeHead(200, { ...siteHeaders, 'content-type': 'text/plain; charset=utf-8' })
        .end(`${host}, served by the mock\n`);
      return;
    }
    const { to, status, scheme = 'https', keepsPath = true } = redirect;
    const location = `${scheme}://${to}${keepsPath ? url : '/'}`;
    response.writeHead(status, { ...siteHeaders, location }).end();
  };
}
