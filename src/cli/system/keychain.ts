import type { ChildProcess } from 'node:child_process';

/** Secrets by account in the keychain of the system. Methods reject if the keychain can't be used. */
export interface Keychain {
  find(account: string): Promise<string | undefined>;
  save(account: string, secret: string): Promise<void>;
  /** Returns whether there was a secret. */
  remove(account: string): Promise<boolean>;
}

/** The stdin of the keychain process. */
export interface KeychainRequest {
  action: 'find' | 'save' | 'remove';
  account: string;
  secret?: string;
}

/** The stdout of the keychain process. */
export type KeychainResponse =
  { ok: true; secret?: string; removed?: boolean } | { ok: false; reason: string };

/** The keychain process did not respond: it may have stored the key. */
export class KeychainNoResponseError extends Error {
  override readonly name = 'KeychainNoResponseError';
}

/** A keychain may prompt the user, or hang on a dead session bus. */
const RESPONSE_TIMEOUT_MS = 3_000;

/**
 * Calls the keychain in a separate process, because a hanging call can only be stopped by killing its process. Secrets
 * go through pipes, never through arguments or the environment.
 *
 * @param spawn starts the process, with pipes.
 * @param after like `setTimeout`, but returns a function that cancels it.
 */
export function createKeychain(
  spawn: () => ChildProcess,
  after: (callback: () => void, delayMs: number) => () => void,
): Keychain {
  const call = async (request: KeychainRequest): Promise<Extract<KeychainResponse, { ok: true }>> => {
    const response = await exchange(spawn(), request, after);
    if (response instanceof KeychainNoResponseError) throw response;
    if (response.ok) return response;
    throw new Error(response.reason);
  };
  return {
    find: async (account) => (await call({ action: 'find', account })).secret,
    async save(account, secret) {
      await call({ action: 'save', account, secret });
    },
    remove: async (account) => (await call({ action: 'remove', account })).removed === true,
  };
}

function exchange(
  child: ChildProcess,
  request: KeychainRequest,
  after: (callback: () => void, delayMs: number) => () => void,
): Promise<KeychainResponse | KeychainNoResponseError> {
  return new Promise((resolve) => {
    let text = '';
    const settle = (response: KeychainResponse | KeychainNoResponseError): void => {
      cancel();
      resolve(response);
    };
    const cancel = after(() => {
      child.kill('SIGKILL');
      settle(
        new KeychainNoResponseError(`it did not respond within ${String(RESPONSE_TIMEOUT_MS / 1_000)} s`),
      );
    }, RESPONSE_TIMEOUT_MS);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => {
      settle({ ok: false, reason: 'its process could not be started' });
    });
    child.once('close', () => {
      settle(parseResponse(text));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(request));
  });
}

function parseResponse(text: string): KeychainResponse | KeychainNoResponseError {
  try {
    // Written by keychain-process.ts.
    return JSON.parse(text) as KeychainResponse;
  } catch {
    return new KeychainNoResponseError('its process ended without a response');
  }
}
