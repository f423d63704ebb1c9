import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECT_SIGNAL, type Http } from '../../client/internal.js';
import { isTlsFailure, isUntrustedCertificate } from '../../security/tls-codes.js';
import { endpointOf } from './endpoint.js';
import { canRetry, type Connected, connectTls, type Target, type Trust } from './trust.js';

/**
 * Creates an agent that opens each connection through an HTTP proxy, with CONNECT (RFC 9110, section 9.3.6). The service
 * receives nothing before the proxy has opened the tunnel.
 *
 * @param module node:https or node:http, by the scheme of the service.
 * @param proxyUrl http or https. May contain a login.
 * @param trust the authorities for the service, and for a proxy with TLS. Default: Node's own.
 */
export function createTunnelAgent(
  module: Http,
  proxyUrl: URL,
  trust: Trust | undefined,
  options: AgentOptions,
): Agent {
  const opening = new Set<ClientRequest>();
  const isTls = module === process.getBuiltinModule('node:https');
  class TunnelAgent extends module.Agent {
    override createConnection(target: Target, done: Connected): undefined {
      const retry = (): void => {
        opening.delete(request);
        this.createConnection(target, done);
      };
      const request = openTunnel(target, proxyUrl, trust, {
        opened(socket) {
          opening.delete(request);
          if (isTls) connectTls({ ...target, socket }, trust, done, retry);
          else done(null, socket);
        },
        failed(error) {
          opening.delete(request);
          done(error);
        },
        retry,
      });
      opening.add(request);
    }

    override destroy(): void {
      for (const request of opening) request.destroy();
      super.destroy();
    }
  }
  return new TunnelAgent(options);
}

interface TunnelListener {
  opened(socket: Duplex): void;
  failed(error: Error): void;
  /** More authorities are trusted now. */
  retry(): void;
}

function openTunnel(
  target: Target,
  proxyUrl: URL,
  trust: Trust | undefined,
  { opened, failed, retry }: TunnelListener,
): ClientRequest {
  const { isTls, host, port } = endpointOf(proxyUrl);
  const signal = target[CONNECT_SIGNAL];
  const login = loginOf(proxyUrl);
  const service = authorityOf(target);
  const ca = trust?.ca;
  const request = process.getBuiltinModule(isTls ? 'node:https' : 'node:http').request({
    host,
    port,
    method: 'CONNECT',
    path: service,
    headers: { host: service, ...(login === undefined ? {} : { 'proxy-authorization': `Basic ${login}` }) },
    agent: false,
    // Otherwise Node expects the certificate of the Host header from the proxy. An address has no server name.
    servername: isIP(host) === 0 ? host : '',
    ...(ca === undefined ? {} : { ca }),
    ...(signal === undefined ? {} : { signal }),
  });
  // Node emits it for every status of a response to CONNECT.
  request.once('connect', ({ statusCode = 0 }: IncomingMessage, socket, head) => {
    const isOpen = statusCode >= 200 && statusCode <= 299;
    // The client speaks first, so these bytes are not from the service.
    if (isOpen && head.length === 0) {
      opened(socket);
      return;
    }
    socket.destroy();
    failed(
      isOpen
        ? new ProxyError('The proxy sent data before the request', 'ERR_PROXY_DATA')
        : new ProxyError(
            describeStatus(statusCode, service, login !== undefined),
            `ERR_PROXY_${String(statusCode)}`,
          ),
    );
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (isTls && canRetry(error, trust, ca)) retry();
    else failed(isTls ? explainTls(error) : error);
  });
  request.end();
  return request;
}

/** The login in base64; `undefined` without a login. */
function loginOf({ username, password }: URL): string | undefined {
  if (username + password === '') return undefined;
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
}

function authorityOf({ host = '', port = 0 }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** A proxy opened no tunnel. Codes start with `ERR_PROXY_`, followed by the status if there is one. */
class ProxyError extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause?: Error) {
    super(message, { cause });
    this.code = code;
  }
}

function describeStatus(status: number, service: string, hasLogin: boolean): string {
  if (status !== 407) return `The proxy opened no connection to ${service} (${String(status)})`;
  return `The proxy ${hasLogin ? 'does not accept the login' : 'requires authentication'} (407)`;
}

/** Distinguishes TLS problems of the proxy from those of the service. */
function explainTls(error: NodeJS.ErrnoException): Error {
  const { code = '' } = error;
  if (isUntrustedCertificate(code))
    return new ProxyError(
      `The certificate of the proxy is not trusted (${code})`,
      'ERR_PROXY_CERTIFICATE',
      error,
    );
  if (isTlsFailure(code)) return new ProxyError('The proxy does not use TLS', 'ERR_PROXY_TLS', error);
  return error;
}
