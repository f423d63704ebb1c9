import type { ChildProcess } from 'node:child_process';
import { type LimitHost, TimeLimitError, withTimeLimit } from './time-limit.js';

/** Secrets by account in the keychain of the system. Methods reject if the keychain can't be used. */
export interface Keychain {
  /**
   * Stores a value, reads it again and removes it.
   *
   * @throws KeychainAbsentError if there is no keychain.
   */
  check(): Promise<void>;
  find(account: string): Promise<string | undefined>;
  save(account: string, secret: string): Promise<void>;
  /** Returns whether there was a secret. */
  remove(account: string): Promise<boolean>;
}

/** The stdin of the keychain process. */
export interface KeychainRequest {
  action: 'check' | 'find' | 'save' | 'remove';
  account?: string;
  secret?: string;
}

/** The stdout of the keychain process. */
export type KeychainResponse =
  { ok: true; secret?: string; removed?: boolean } | { ok: false; reason: string; isAbsent?: boolean };

/** This system or session has no keychain. One that is locked, refuses or does not respond is not absent. */
export class KeychainAbsentError extends Error {
  override readonly name = 'KeychainAbsentError';
}

/** A keychain may prompt the user, or hang on a dead session bus. */
const RESPONSE_TIMEOUT_MS = 3_000;

/**
 * Calls the keychain in a separate process, because a hanging call can only be stopped by killing its process. Secrets
 * go through pipes, never through arguments or the environment.
 *
 * @param spawn starts the process, with pipes.
 * @param host its signal ends the process.
 * @param responseMs the longest wait for a response; default 3,000.
 */
export function createKeychain(
  spawn: () => ChildProcess,
  host: LimitHost,
  responseMs = RESPONSE_TIMEOUT_MS,
): Keychain {
  const call = async (request: KeychainRequest): Promise<Extract<KeychainResponse, { ok: true }>> => {
    host.signal.throwIfAborted();
    const response = await exchange(spawn(), request, responseMs, host);
    if (response.ok) return response;
    throw response.isAbsent === true ? new KeychainAbsentError(response.reason) : new Error(response.reason);
  };
  return {
    async check() {
      await call({ action: 'check' });
    },
    find: async (account) => (await call({ action: 'find', account })).secret,
    async save(account, secret) {
      await call({ action: 'save', account, secret });
    },
    remove: async (account) => (await call({ action: 'remove', account })).removed === true,
  };
}

async function exchange(
  child: ChildProcess,
  request: KeychainRequest,
  responseMs: number,
  host: LimitHost,
): Promise<KeychainResponse> {
  const response = new Promise<KeychainResponse>((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', () => {
      resolve({ ok: false, reason: 'its process could not be started' });
    });
    child.once('close', () => {
      resolve(parseResponse(text));
    });
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(request));
  try {
    return await withTimeLimit(responseMs, host, () => response);
  } catch (error) {
    child.kill('SIGKILL');
    if (!(error instanceof TimeLimitError)) throw error;
    const limit = `${String(responseMs / 1_000)} s`;
    const reason = `it did not respond within ${limit}. It may be locked, or its prompt may be open`;
    return { ok: false, reason };
  }
}

function parseResponse(text: string): KeychainResponse {
  try {
    // Written by keychain-process.ts.
    return JSON.parse(text) as KeychainResponse;
  } catch {
    return { ok: false, reason: 'its process ended without a response' };
  }
}
