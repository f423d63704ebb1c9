import { once } from 'node:events';
import type { Session } from '../../session/session.js';
import { type MockAddress, removeReadyFile, writeReadyFile } from './ready-file.js';

/**
 * Serves until ^C or SIGTERM. The ready file exists as long as the server listens.
 *
 * @param server.start called before the ready file is written.
 * @param server.announce called when the server is ready.
 */
export async function untilStopped(
  readyFile: string | undefined,
  { context }: Session,
  server: { address: MockAddress; start?(): void; announce(): void; close(): Promise<void> },
): Promise<void> {
  const { signal } = context;
  try {
    server.start?.();
    if (readyFile !== undefined) writeReadyFile(readyFile, server.address, context);
    server.announce();
    context.watchReader?.();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    if (readyFile !== undefined) removeReadyFile(readyFile, server.address, context);
    await server.close();
  }
}
