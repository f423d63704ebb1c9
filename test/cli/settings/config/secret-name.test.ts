import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSecretField, isSecretName } from '../../../../src/cli/settings/config/secret-name.js';

test.each([
  'key',
  'apiKey',
  'api_key',
  'APIKEY',
  'x-api-key',
  'PETSTORE_API_KEY',
  'keys',
  'key2',
  'token',
  'accessToken',
  'secret',
  'apiSecret',
  'client_secret',
  'password',
  'passwd',
  'authorization',
  'Authorization',
  'bearer',
  'bearerToken',
  'auth',
  'credentials',
  'passphrase',
])('%s is a secret name', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'keyIn',
  'trustedUrls',
  'profile',
  'profiles',
  'stagingUrl',
  'output',
  'color',
  'tokenUrl',
  'author',
  'authority',
  'keychain',
])('%s is not a secret name', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('no field of a project file is a secret name', () => {
  const schema = readFileSync(
    join(import.meta.dirname, '../../../../docs/petstore.config.schema.json'),
    'utf8',
  );
  const names = [...schema.matchAll(/"([^"]+)":/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(isSecretName)).toEqual([]);
});

test('finds the outermost field, at any depth', () => {
  expect(findSecretField({ a: [{ token: 1 }], b: { secret: 2 }, c: 'key' })).toBe('b.secret');
  expect(findSecretField({ a: [['x', { token: 1 }]] })).toBe('a[0][1].token');
  expect(findSecretField(['key', 'token'])).toBeUndefined();
  let deep: unknown = { key: 1 };
  for (let depth = 0; depth < 1_000; depth += 1) deep = [deep];
  expect(findSecretField(deep)).toMatch(/\]\.key$/);
});
