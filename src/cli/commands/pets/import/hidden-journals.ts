import { join } from 'node:path';
import { type PathContext, stateDirectory } from '../../../files/paths.js';

/** Where journals are that have no file to lie beside. */
export function hiddenFolder(context: PathContext): string {
  return join(stateDirectory(context), 'imports');
}

/** What they are called, and what lies beside them, such as their locks. */
export const HIDDEN_JOURNAL = /^\d{8}T\d{6}Z-[0-9a-f]{8}\.journal(?:\.|$)/;

/**
 * @param beganAt milliseconds since the epoch.
 * @param uuid tells it from others that began in the same second.
 */
export function hiddenJournalName(beganAt: number, uuid: string): string {
  const began = new Date(beganAt).toISOString().replace(/\.\d+|[-:]/g, '');
  return `${began}-${uuid.slice(0, 8)}.journal`;
}
