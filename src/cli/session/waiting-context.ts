import type { Waiting } from '../progress/waiting.js';
import type { Context, InputStream, OutputStream } from '../system/context.js';
import type { Keychain } from '../system/keychain.js';

/** Returns a context that shows waits for the keychain and for stdin, and hides the line before it writes text. */
export function withWaiting(context: Context, waiting: Waiting): Context {
  return {
    ...context,
    stdin: waitingStdin(context.stdin, waiting),
    stdout: hidingStream(context.stdout, waiting),
    stderr: hidingStream(context.stderr, waiting),
    keychain: async () => waitingKeychain(await context.keychain(), waiting),
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

function waitingKeychain(keychain: Keychain, waiting: Waiting): Keychain {
  const text = 'Waiting for the keychain';
  return {
    find: (account) => during(waiting, text, () => keychain.find(account)),
    save: (account, secret) => during(waiting, text, () => keychain.save(account, secret)),
    remove: (account) => during(waiting, text, () => keychain.remove(account)),
  };
}

async function during<T>(waiting: Waiting, text: string, work: () => Promise<T>): Promise<T> {
  const end = waiting.start(text);
  try {
    return await work();
  } finally {
    end();
  }
}
