import type { Waiting } from '../progress/waiting.js';
import type { Context, InputStream, OutputStream } from '../system/context.js';

/** Returns a context that shows waits for stdin, and hides the line before it writes text. */
export function withWaiting(context: Context, waiting: Waiting): Context {
  return {
    ...context,
    stdin: waitingStdin(context.stdin, waiting),
    stdout: hidingStream(context.stdout, waiting),
    stderr: hidingStream(context.stderr, waiting),
  };
}

function hidingStream(stream: OutputStream, waiting: Waiting): OutputStream {
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
    write(text, hintIfLost) {
      waiting.hide();
      stream.write(text, hintIfLost);
    },
  };
}

function waitingStdin(stdin: InputStream, waiting: Waiting): InputStream {
  return {
    get isTTY() {
      return stdin.isTTY;
    },
    readAll: (signal) => during(waiting, 'Reading standard input', () => stdin.readAll(signal)),
    // Readers show the progress of the rest.
    async *read(signal) {
      let end: (() => void) | undefined = waiting.start('Waiting for standard input');
      try {
        for await (const chunk of stdin.read(signal)) {
          end?.();
          end = undefined;
          yield chunk;
        }
      } finally {
        end?.();
      }
    },
  };
}

/** The time in which a person can answer the prompt of a keychain, in milliseconds. */
const KEYCHAIN_PROMPT_MS = 60_000;
/** A keychain without a prompt responds sooner. */
const NOTICE_AFTER_MS = 500;

/** Returns a context whose keychain waits for a person to answer its prompt, with a notice. */
export function withKeychainPrompt(
  context: Context,
  waiting: Waiting | undefined,
  isQuiet: boolean,
): Context {
  const text = 'Waiting for the keychain. Answer its prompt, or press ^C to cancel';
  const write = (): void => {
    if (!isQuiet) context.stderr.write(`${text}\n`);
  };
  const shown = waiting ?? { start: () => context.clock.setTimeout(write, NOTICE_AFTER_MS) };
  return {
    ...context,
    async keychain() {
      const keychain = await context.keychain(KEYCHAIN_PROMPT_MS);
      return {
        check: () => during(shown, text, () => keychain.check()),
        find: (account) => during(shown, text, () => keychain.find(account)),
        save: (account, secret) => during(shown, text, () => keychain.save(account, secret)),
        remove: (account) => during(shown, text, () => keychain.remove(account)),
      };
    },
  };
}

async function during<T>(waiting: Pick<Waiting, 'start'>, text: string, work: () => Promise<T>): Promise<T> {
  const end = waiting.start(text);
  try {
    return await work();
  } finally {
    end();
  }
}
