import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../../../src/client/internal.js';
import {
  misspelledHint,
  findApiKey,
  keyProblem,
  noApiKey,
  maskedKey,
} from '../../../../src/cli/settings/credentials/api-key.js';
import { fakeContext, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const find = (
  world: World,
  settings: Parameters<typeof findApiKey>[0] = { profile: undefined, entry: undefined },
) => findApiKey(settings, fakeContext(world).context);

/** The error of a key that is refused. */
async function failureOf(found: ReturnType<typeof find>): Promise<Error> {
  return found.then(
    () => new Error('The key was accepted'),
    (error: unknown) => error as Error,
  );
}

describe('PETSTORE_API_KEY', () => {
  test('overrides a stored key', async () => {
    const found = find(
      { env: { PETSTORE_API_KEY: 'sk-1' } },
      { profile: 'shop', entry: { keyIn: 'keychain' } },
    );
    expect(await found).toEqual({ secret: 'sk-1', from: 'environment' });
  });

  test.each([
    ['sk-4711\n', 'ends with a line break'],
    ['sk-4711\r\n\n', 'ends with a line break'],
    ['4711\r\nb', 'has a line break at character 5'],
    ['\n4711', 'has a line break at character 1'],
    ['sk 4711', 'has a space at character 3'],
    ['\ufeff4711', 'has a byte order mark (U+FEFF) at character 1'],
    ['4711\u00a0', 'has a no-break space (U+00A0) at character 5'],
    ['4711\u200bx', 'has U+200B at character 5'],
    ['clé-4711', 'has U+00E9 at character 3'],
    ['k\0e\x004711', 'has U+0000 at character 2'],
    ['\u{1f600}\u{1f600}4711', 'has U+1F600 at character 1'],
    ['"4711"', 'is in quotes, which would be part of it'],
    ["'4711'", 'is in quotes, which would be part of it'],
    ['Bearer 4711', 'starts with "Bearer "'],
  ])('refuses %j and does not show it', async (key, fault) => {
    const error = await failureOf(find({ env: { PETSTORE_API_KEY: key } }));
    expect(error.message).toBe(`PETSTORE_API_KEY ${fault}, so it is not sent`);
    expect(inspect(error)).not.toContain('4711');
  });

  test.each([{}, { PETSTORE_API_KEY: '' }])('%j: no key', async (env) => {
    expect(await find({ env })).toBeUndefined();
    expect(noApiKey({ profile: undefined, profileNames: [] }, { env: {} })).toMatchObject({
      facts: expect.objectContaining({ type: 'no-api-key', exitCode: 3 }) as object,
      hint: 'Run "petstore auth login", set PETSTORE_API_KEY, or try --mock.',
    });
    expect(noApiKey({ profile: 'my shop', profileNames: ['my shop'] }, { env: {} }).hint).toContain(
      `Run "petstore auth login --profile 'my shop'", set`,
    );
    const empty = noApiKey({ profile: undefined, profileNames: [] }, { env: { PETSTORE_API_KEY: '' } });
    expect(empty.message).toBe('PETSTORE_API_KEY is set and empty');
    expect(empty.hint).toMatch(/^A secret of CI may be missing in this run\. Run "petstore auth login"/);
    const hintOf = (profileNames: string[]) =>
      noApiKey({ profile: undefined, profileNames }, { env: {} }).hint;
    expect(hintOf(['shop'])).toMatch(/^Choose a profile with "petstore auth switch shop"\. Run/);
    expect(hintOf(['a', 'b'])).toMatch(/^Choose a profile with "petstore auth switch NAME"\. Run/);
  });
});

describe('a stored key', () => {
  test('is refused if it is damaged, and not shown', async () => {
    const env = { PETSTORE_CONFIG_DIR: temporaryFolder({ 'keys/shop.key': 'sk-4711 \u001b[2J' }) };
    const error = await failureOf(find({ env }, { profile: 'shop', entry: { keyIn: 'file' } }));
    expect(error.message).toBe('The stored key of profile "shop" is damaged');
    // All of it: the hint, the cause and other properties, too.
    expect(inspect(error)).not.toContain('4711');
  });
});

test.each(['k', '~!,:', 'a b', ' a', 'a\t', 'a\n', 'a\r\nb', 'a\0', 'a\x7f', 'clé', '\u200b', 'a\ufeff'])(
  'agrees with the client on %j',
  (key) => {
    let isAccepted = true;
    try {
      createPetStore({ baseUrl: 'https://pets.test/v1', apiKey: key });
    } catch {
      isAccepted = false;
    }
    expect(keyProblem(key) === undefined).toBe(isAccepted);
  },
);

test('a fingerprint differs between keys and shows no part of them', () => {
  const fingerprints = ['sk-secret', 'sk-secret2', 'a'].map(maskedKey);
  expect(new Set(fingerprints).size).toBe(3);
  expect(maskedKey('sk-secret')).toBe(fingerprints[0]);
  for (const fingerprint of fingerprints)
    expect(fingerprint).toMatch(/^\*\*\*\* \(fingerprint [0-9a-f]{8}\)$/);
});

test.each([
  ['PETSTORE_BASE_URL', ['PETSTORE_URL', 'PETSTORE_API_URL', 'PETSTORE_API_BASE_URL', 'PETSTORE_HOST']],
  ['PETSTORE_API_KEY', ['PETSTORE_KEY', 'PETSTORE_TOKEN', 'PETSTORE_API_TOKEN', 'PETSTORE_APIKEY']],
] as const)('names a variable that may stand for %s', (name, others) => {
  for (const other of others)
    expect(misspelledHint(name, { [other]: 'sk-x' })).toBe(`${other} is set: rename it to ${name}. `);
  for (const unrelated of ['PETSTORE_GATE', 'PETSTORE_STATE_DIR', 'PETSTORE_PROFILE', 'API_TOKEN', 'URL'])
    expect(misspelledHint(name, { [unrelated]: 'x' })).toBe('');
});
