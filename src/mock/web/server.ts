import type { Server } from 'node:http';
import type { Server as TcpServer } from 'node:net';

/**
 * Listens.
 *
 * @param port 0 means any free port.
 * @returns the port.
 * @throws the system's error, such as `EADDRINUSE`.
 */
export async function bind(server: TcpServer, port: number, host: string): Promise<number> {
  const listening = process.getBuiltinModule('node:events').once(server, 'listening');
  server.listen(port, host);
  await listening;
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Stops listening. Closes idle connections at once, and the others after their response or the deadline. */
export function closeServer(server: HttpServer, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
  });
}

/** A server of node:http, or one that can close its connections as that does. */
export type HttpServer = TcpServer & Pick<Server, 'closeAllConnections'>;
