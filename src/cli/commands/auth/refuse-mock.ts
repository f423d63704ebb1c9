import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';

/** For the commands that tell of the person's own key, which the embedded mock neither asks for nor knows. */
export function refuseMock(command: string, { global }: Pick<Session, 'global'>): void {
  if (!global.mock) return;
  throw new UsageError(
    `--mock is not for ${command}: the mock brings a key of its own`,
    'leave out --mock to see the key in force',
  );
}
