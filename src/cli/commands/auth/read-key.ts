import type { Session } from '../../session/action.js';
import { keyProblem } from '../../credentials/api-key.js';
import type { InputStream } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';

/** Longer than any key: longer input is probably the wrong file. */
const KEY_MAX_BYTES = 8_192;

const PIPE_HINT = 'Pipe it in: COMMAND | petstore auth login --with-key';

/** @throws UsageError if `--with-key` is given and stdin is a terminal. */
export function checkKeySource(withKey: boolean, session: Session): void {
  if (withKey && session.context.stdin.isTTY) {
    throw new UsageError(
      '--with-key reads the key from a pipe, and stdin is a terminal',
      'Remove --with-key to be prompted, or pipe the key in.',
    );
  }
}

/** Reads a key from stdin, or prompts for it without showing it. */
export async function readKey(withKey: boolean, session: Session): Promise<string> {
  const { context } = session;
  if (withKey) {
    const key = (await readShort(context.stdin, context.signal)).trim();
    if (key !== '') return checkKey(key, session);
    throw new UsageError('No key on stdin', PIPE_HINT);
  }
  if (!session.canPrompt) throw new UsageError("Can't prompt for the key: no terminal", PIPE_HINT);
  const prompter = await session.prompter();
  const answer = await prompter.secret('API key', (text) => {
    if (text.trim() === '') return 'Enter a key.';
    const problem = keyProblem(text.trim());
    return problem === undefined || `The key contains ${problem}.`;
  });
  return checkKey(answer.trim(), session);
}

/** Stops at the limit, because a stream may never end. */
async function readShort(stdin: InputStream, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of stdin.read(signal)) {
    bytes += piece.length;
    if (bytes > KEY_MAX_BYTES) {
      throw new UsageError(
        `More than ${String(KEY_MAX_BYTES)} bytes on stdin, which is too long for a key`,
        'Pipe in only the key: COMMAND | petstore auth login --with-key',
      );
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function checkKey(key: string, { context }: Session): string {
  context.keyMask?.add(key);
  const problem = keyProblem(key);
  if (problem === undefined) return key;
  throw new UsageError(`The key contains ${problem}, so it can't be sent in a header`, 'Copy it again.');
}
