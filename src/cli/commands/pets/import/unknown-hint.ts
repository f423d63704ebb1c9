import type { ImportReport, OnUnknown, UnknownRow } from '../../../../bulk/internal.js';
import type { HintLines } from '../../../errors/command-failure.js';
import type { ImportLocation } from './import-location.js';

/** Why rows that match no listed pet are not sent again. */
export const INCOMPLETE_LIST =
  'The list of pets is incomplete, so a pet may exist without being listed. Sending its row again can create a duplicate.';

/** Whether a listed pet may belong to the row. */
export function isMatched({ listed, similar }: UnknownRow): boolean {
  return listed.length + similar.length > 0;
}

/** What to do after an import. */
export interface ImportHint {
  hint: HintLines;
  /** Whether it has a command that resumes the import. */
  resumes: boolean;
}

/** Advice for rows of unknown outcome. Each sentence is safe without the next one. */
export function unknownHint(
  { counts, unknown }: Pick<ImportReport, 'counts' | 'unknown'>,
  location: ImportLocation,
): ImportHint {
  const { onUnknown } = location.options;
  let resumes = false;
  const run = (action: OnUnknown): string => {
    const command = location.resumeCommand(action);
    resumes ||= command !== undefined;
    return command === undefined ? `pass --on-unknown ${action}.` : `run: ${command}`;
  };
  const { rows = [], coverage = 'failed' } = unknown ?? {};
  const isOpen = counts.unknown > rows.length || !rows.every(isMatched);
  const isIncomplete = isOpen && coverage === 'part';
  // Several pets of one row are no exact match.
  const isAccepted = onUnknown !== 'accept-listed' && rows.some(({ listed }) => listed.length === 1);
  const isRetry = isOpen && !isIncomplete && onUnknown !== 'retry';
  const these = counts.unknown === 1 ? 'this row' : 'these rows';
  const hints: string[] = [];
  if (isIncomplete)
    hints.push(
      `The list of pets is incomplete, so compare ${these} in the service by hand. A row whose pet exists needs no command: it stays unknown, and is not sent again.`,
    );
  if (isAccepted) hints.push(`To count rows as created whose pets are listed, ${run('accept-listed')}`);
  if (onUnknown === 'stop' && counts.left > 0) hints.push(`To send only the other rows, ${run('skip')}`);
  if (isRetry) hints.push(`To send ${these} again unless a listed pet matches, ${run('retry')}`);
  if (isIncomplete)
    hints.push(`On a terminal, --on-unknown retry prompts. If none of the pets exists, ${run('retry')}`);
  if (hints.length === 0)
    hints.push(
      `Rows that match a listed pet are not sent again. If one of them has no pet, import it from a new file. Compare them with: ${location.listCommand()}`,
    );
  return { hint: hints, resumes };
}
