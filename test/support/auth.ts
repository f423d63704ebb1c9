import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { keyFileName } from '../../src/cli/settings/credentials/key-place.js';
import type { Prompter } from '../../src/cli/system/context.js';
import type { Keychain } from '../../src/cli/system/keychain.js';
import { type Outcome, runFake, type World } from './fake-context.js';
import { temporaryFolder } from './temporary-folder.js';

export const URL = 'https://pets.test/v1';
export const SECRET = 'sk-secret';

/** The path of a key file in the configuration directory. */
export function keyFileOf(profile = 'default', baseUrl = URL): string {
  const { origin } = new globalThis.URL(baseUrl);
  return `keys/${keyFileName({ profile, location: 'file', origin })}`;
}

/** The name of a key in the keychain. */
export function accountOf(profile: string, folder: string, baseUrl = URL): string {
  return `${profile} at ${new globalThis.URL(baseUrl).origin} in ${folder}`;
}

/** Creates a configuration directory for a test, and functions that run commands with it. */
export function authIn() {
  const setup = { folder: '', env: {} as Record<string, string> };
  beforeEach(() => {
    setup.folder = temporaryFolder();
    setup.env = { PETSTORE_CONFIG_DIR: setup.folder };
  });
  const run = (line: string, world: World = {}): Promise<Outcome> =>
    runFake(line, { env: setup.env, ...world });
  return {
    setup,
    run,
    logIn: (flags = '', world: World = {}): Promise<Outcome> =>
      run(`auth login --with-key --base-url ${URL} ${flags}`, { stdin: `${SECRET}\n`, ...world }),
    config: (): unknown => JSON.parse(readFileSync(join(setup.folder, 'config.json'), 'utf8')),
  };
}

/** Creates a keychain in memory. */
export function openKeychain(): Keychain & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    check: () => Promise.resolve(),
    find: (account) => Promise.resolve(entries.get(account)),
    save: (account, secret) => Promise.resolve(void entries.set(account, secret)),
    remove: (account) => Promise.resolve(entries.delete(account)),
  };
}

/** Creates a prompter that types this key, and otherwise takes the first choice. */
export function person(key: string, prompts: string[] = []): Prompter {
  const note = (question: string): void => void prompts.push(question);
  return {
    secret(question, check) {
      note(question);
      expect(check('')).not.toBe(true);
      return Promise.resolve(key);
    },
    text(question, check) {
      note(question);
      expect(check('pets.test')).not.toBe(true);
      return Promise.resolve(URL);
    },
    choose: (question, choices) => {
      note(question);
      return Promise.resolve(choices[0]!.value);
    },
  };
}
