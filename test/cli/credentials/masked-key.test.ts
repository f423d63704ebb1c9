import { expect, test } from 'vitest';
import { keySource, maskedKey } from '../../../src/cli/credentials/api-key.js';

test('a fingerprint differs between keys and shows no part of them', () => {
  const fingerprints = ['sk-secret', 'sk-secret2', 'a'].map(maskedKey);
  expect(new Set(fingerprints).size).toBe(3);
  expect(maskedKey('sk-secret')).toBe(fingerprints[0]);
  for (const fingerprint of fingerprints)
    expect(fingerprint).toMatch(/^\*\*\*\* \(fingerprint [0-9a-f]{8}\)$/);
});

test.each([
  [{ secret: 'k', from: 'environment' }, 'PETSTORE_API_KEY'],
  [{ secret: 'k', from: 'keychain' }, 'the keychain'],
  [{ secret: 'k', from: 'file', path: '/keys/p.key' }, '/keys/p.key'],
] as const)('%j comes from %s', (found, source) => {
  expect(keySource(found)).toBe(source);
});
