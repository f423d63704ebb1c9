import type { ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { ipFamily } from '../server-address.js';

/** HTTP/2 connections to the origins that support it (ALPN, RFC 7301). */
export interface Http2Sessions {
  /** Returns the open session of an origin, or connects. `undefined` if the server chooses HTTP/1.1. */
  sessionFor(url: URL): Promise<ClientHttp2Session | undefined>;
  close(): void;
}

export function createHttp2Sessions(): Http2Sessions {
  const sessions = new Map<string, Promise<ClientHttp2Session | undefined>>();
  const open = new Set<ClientHttp2Session>();
  const sockets = new Set<TLSSocket>();
  return {
    sessionFor(url) {
      const known = sessions.get(url.origin);
      if (known !== undefined) return known;
      const forget = (): void => {
        if (sessions.get(url.origin) === connecting) sessions.delete(url.origin);
      };
      const connecting = connect(url, sockets).then((socket) => {
        if (socket === undefined) return undefined;
        const session = process
          .getBuiltinModule('node:http2')
          .connect(url, { createConnection: () => socket });
        open.add(session);
        // An idle session must not keep the process alive.
        session.unref();
        session.on('error', forget).on('goaway', forget);
        session.on('close', () => {
          open.delete(session);
          forget();
        });
        return session;
      });
      sessions.set(url.origin, connecting);
      connecting.catch(forget);
      return connecting;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const session of open) session.destroy();
      sessions.clear();
    },
  };
}

/** Connects over TLS. Returns the socket if the server chose HTTP/2. */
function connect(url: URL, sockets: Set<TLSSocket>): Promise<TLSSocket | undefined> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule('node:tls').connect({
      host,
      port: Number(url.port || 443),
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(ipFamily(host) === 0 && { servername: host }),
    });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      if (socket.alpnProtocol === 'h2') {
        resolve(socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      resolve(undefined);
    });
  });
}
