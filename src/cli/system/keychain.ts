import type { ChildProcess } from 'node:child_process';

/** The system's keychain: secrets by account, below one service name. Every method rejects with why it can't be used. */
export interface Keychain {
  find(account: string): Promise<string | undefined>;
  save(account: string, secret: string): Promise<void>;
  /** Whether there was one. */
  remove(account: string): Promise<boolean>;
}

/** What goes to the process that talks to the keychain, on its stdin. */
export interface KeychainRequest {
  action: 'find' | 'save' | 'remove';
  account: string;
  secret?: string;
}

/** What comes back on its stdout. */
export type KeychainResponse =
  { ok: true; secret?: string; removed?: boolean } | { ok: false; reason: string };

/** It did not say what it did: the keychain may have taken a key that it did not confirm. */
export class KeychainNoResponseError extends Error {
  override readonly name = 'UnansweredError';
}

/** A keychain that asks its person, or hangs behind a dead session bus, is not waited for any longer. */
const ANSWER_MS = 3_000;

/**
 * Reaches the keychain by a process of its own, since a call into it can hang where nothing can end it but the end of
 * its process. Secrets go through pipes, never through arguments or the environment.
 *
 * @param spawn starts that process, with pipes.
 * @param after as `setTimeout`, but returns what cancels it.
 */
export function createKeychain(
  spawn: () => ChildProcess,
  after: (callback: () => void, delayMs: number) => () => void,
): Keychain {
  const ask = async (request: KeychainRequest): Promise<Extract<KeychainResponse, { ok: true }>> => {
    const answer = await exchange(spawn(), request, after);
    if (answer instanceof KeychainNoResponseError) throw answer;
    if (answer.ok) return answer;
    throw new Error(answer.reason);
  };
  return {
    find: async (account) => (await ask({ action: 'find', account })).secret,
    async save(account, secret) {
      await ask({ action: 'save', account, secret });
    },
    remove: async (account) => (await ask({ action: 'remove', account })).removed === true,
  };
}

function exchange(
  child: ChildProcess,
  request: KeychainRequest,
  after: (callback: () => void, delayMs: number) => () => void,
): Promise<KeychainResponse | KeychainNoResponseError> {
  return new Promise((resolve) => {
    let text = '';
    const settle = (answer: KeychainResponse | KeychainNoResponseError): void => {
      cancel();
      resolve(answer);
    };
    const cancel = after(() => {
      child.kill('SIGKILL');
      settle(new KeychainNoResponseError(`it did not answer within ${String(ANSWER_MS / 1_000)} s`));
    }, ANSWER_MS);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => {
      settle({ ok: false, reason: 'its process could not be started' });
    });
    child.once('close', () => {
      settle(readAnswer(text));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(request));
  });
}

function readAnswer(text: string): KeychainResponse | KeychainNoResponseError {
  try {
    // Written by our own process, at the other end of the pipe.
    return JSON.parse(text) as KeychainResponse;
  } catch {
    return new KeychainNoResponseError('its process ended without an answer');
  }
}
