import { type Context, type InputStream, type OutputStream, withWrite } from '../system/context.js';
import type { StatusLine } from './status-line.js';

/** The time in which a person can answer the prompt of a keychain, in milliseconds. */
const KEYCHAIN_PROMPT_MS = 60_000;
const KEYCHAIN_NOTICE = 'Waiting for the keychain. If it prompts, answer there. Press ^C to cancel';

/**
 * Returns a context that shows waits for stdin and the keychain, and hides the line before it writes text.
 *
 * @param isAttended whether the keychain waits for a person to answer its prompt.
 */
export function withStatusLine(context: Context, status: StatusLine, isAttended: boolean): Context {
  const below = (stream: OutputStream): OutputStream =>
    withWrite(stream, (text, hintIfLost) => {
      status.hide();
      stream.write(text, hintIfLost);
    });
  const shown = {
    ...context,
    stdin: waitingStdin(context.stdin, status),
    stdout: below(context.stdout),
    stderr: below(context.stderr),
  };
  if (!isAttended) return shown;
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = status.startWait(KEYCHAIN_NOTICE, true);
    return work().finally(end);
  };
  return {
    ...shown,
    async keychain() {
      const keychain = await context.keychain(KEYCHAIN_PROMPT_MS);
      return {
        check: () => during(() => keychain.check()),
        find: (account) => during(() => keychain.find(account)),
        save: (account, secret) => during(() => keychain.save(account, secret)),
        remove: (account) => during(() => keychain.remove(account)),
      };
    },
  };
}

function waitingStdin(stdin: InputStream, status: StatusLine): InputStream {
  return {
    get isTTY() {
      return stdin.isTTY;
    },
    // Readers show the progress of the rest.
    async *read(signal) {
      const end = status.startWait('Waiting for standard input');
      try {
        for await (const chunk of stdin.read(signal)) {
          end();
          yield chunk;
        }
      } finally {
        end();
      }
    },
  };
}
