import { join } from 'node:path';
import { type PathContext, stateDirectory } from '../../../files/paths.js';

/** The folder for journals of stdin and of the mock, which have no file to be next to. */
export function hiddenJournalDirectory(context: PathContext): string {
  return join(stateDirectory(context), 'imports');
}

/** The names of these journals and of the files next to them, such as locks. */
export const HIDDEN_JOURNAL = /^\d{8}T\d{6}Z-[0-9a-f]{8}\.journal(?:\.|$)/;

/**
 * @param startedAt milliseconds since the epoch.
 * @param uuid distinguishes journals of the same second.
 */
export function hiddenJournalName(startedAt: number, uuid: string): string {
  const time = new Date(startedAt).toISOString().replace(/\.\d+|[-:]/g, '');
  return `${time}-${uuid.slice(0, 8)}.journal`;
}
