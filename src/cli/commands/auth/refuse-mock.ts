import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';

/** Refuses --mock for commands about the user's own key: the embedded mock has a key of its own. */
export function refuseMock(command: string, { global }: Pick<Session, 'global'>): void {
  if (!global.mock) return;
  throw new UsageError(
    `${command} does not support --mock: the mock has its own key`,
    'Remove --mock to use your own key.',
  );
}
