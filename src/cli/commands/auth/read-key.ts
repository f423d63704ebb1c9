import type { Session } from '../../session/action.js';
import { keyProblem } from '../../credentials/api-key.js';
import type { InputStream } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';

/** Far more than any header may hold. Whoever pipes in more has taken the wrong file. */
const KEY_MAX_BYTES = 8_192;

/**
 * Makes sure that there is somebody, or something, to have a key from.
 *
 * @param withKey whether it is to come in on stdin.
 * @throws UsageError with the other way.
 */
export function checkKeySource(withKey: boolean, session: Session): void {
  if (withKey && session.context.stdin.isTTY) {
    throw new UsageError(
      '--with-key reads the key from a pipe, and stdin is a terminal',
      'leave --with-key out to be asked, or pipe the key in',
    );
  }
}

/** Reads a key from stdin, or asks for it without showing it. */
export async function readTypedKey(withKey: boolean, session: Session): Promise<string> {
  const { context } = session;
  if (withKey) {
    const key = (await readShort(context.stdin, context.signal)).trim();
    if (key !== '') return checkKey(key, session);
    throw new UsageError('no key came in on stdin', 'pipe it in: … | petstore auth login --with-key');
  }
  if (!session.canPrompt) {
    throw new UsageError(
      'there is nobody to ask for the key',
      'pipe it in: … | petstore auth login --with-key',
    );
  }
  const prompter = await session.prompter();
  const answer = await prompter.secret('API key (not shown)', (text) => {
    const fault = text.trim() === '' ? 'nothing' : keyProblem(text.trim());
    return fault === undefined || `it holds ${fault}`;
  });
  return checkKey(answer.trim(), session);
}

/** Stops reading where it is too much: a stream need have no end. */
async function readShort(stdin: InputStream, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of stdin.read(signal)) {
    bytes += piece.length;
    if (bytes > KEY_MAX_BYTES) {
      throw new UsageError(
        `more than ${String(KEY_MAX_BYTES)} bytes came in on stdin: that is no key`,
        'pipe in the key alone: … | petstore auth login --with-key',
      );
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function checkKey(key: string, { context }: Session): string {
  context.keyMask?.add(key);
  const fault = keyProblem(key);
  if (fault === undefined) return key;
  throw new UsageError(`the key holds ${fault}, which no request header can carry`, 'copy it once more');
}
