import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl, resolvePath } from '../../../src/client/endpoint/base-url.js';
import { ConfigurationError, InvalidInputError } from '../../../src/errors.js';

describe('the base URL', () => {
  test.each([
    ['https://api.example.com/v1', 'https://api.example.com', '/v1'],
    ['https://api.example.com/v1///', 'https://api.example.com', '/v1'],
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com:443/v1', 'https://api.example.com', '/v1'],
    ['HTTPS://API.example.com:8443/a/v1', 'https://api.example.com:8443', '/a/v1'],
    ['http://localhost:4010/v1', 'http://localhost:4010', '/v1'],
    ['http://127.0.0.1:1/v1', 'http://127.0.0.1:1', '/v1'],
    ['http://127.8.9.1/v1', 'http://127.8.9.1', '/v1'],
    ['http://[::1]:80/v1', 'http://[::1]', '/v1'],
    [new URL('https://api.example.com/v1'), 'https://api.example.com', '/v1'],
  ])('parses %s', (value, origin, prefix) => {
    expect(parseBaseUrl(value, false)).toEqual({ origin, prefix });
  });

  test.each([
    ['', 'No base URL'],
    [undefined, 'No base URL'],
    ['api.example.com/v1', 'has no scheme'],
    ['localhost:4010/v1', 'has no scheme'],
    ['ftp://api.example.com', 'neither http nor https'],
    ['file:///etc/passwd', 'neither http nor https'],
    ['https://', 'is not a valid URL'],
    ['https://api example.com', 'is not a valid URL'],
    ['https://api.example.com:99999', 'is not a valid URL'],
    ['https://user:s3cret@api.example.com/v1', 'contains credentials'],
    ['https://s3cret@api.example.com/v1', 'contains credentials'],
    ['https://api.example.com/v1?key=s3cret', 'has a query or a fragment'],
    ['https://api.example.com/v1#s3cret', 'has a query or a fragment'],
    ['http://api.example.com/v1', 'unencrypted to api.example.com'],
    ['http://localhost.example.com/v1', 'unencrypted'],
    ['http://mock.localhost/v1', 'unencrypted to mock.localhost'],
    ['http://127.0.0.1.example.com/v1', 'unencrypted'],
    ['http://192.168.0.1/v1', 'unencrypted'],
    ['http://0.0.0.0/v1', 'unencrypted'],
  ])('rejects %j: %s', (value, said) => {
    const parse = (): unknown => parseBaseUrl(value, false);
    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(said);
    expect(parse).not.toThrow('s3cret');
  });

  test('accepts http to other hosts only with allowInsecure', () => {
    expect(parseBaseUrl('http://api.example.com/v1', true).origin).toBe('http://api.example.com');
  });
});

describe('a path', () => {
  const base = { origin: 'https://api.example.com', prefix: '/v1' };

  test.each([
    ['/pets', '/v1/pets'],
    ['/pets?limit=5', '/v1/pets?limit=5'],
    ['/pets/ü', '/v1/pets/%C3%BC'],
    ['/pets/a%2Fb', '/v1/pets/a%2Fb'],
    ['/pets?next=../../x', '/v1/pets?next=../../x'],
    ['/pets/...', '/v1/pets/...'],
    ['/@evil.example', '/v1/@evil.example'],
  ])('resolves %s to %s', (path, expected) => {
    expect(resolvePath(base, path)).toBe(expected);
  });

  test.each([
    'pets',
    '',
    '//evil.example/pets',
    'https://evil.example/pets',
    '/..',
    '/../admin',
    '/pets/../../admin',
    '/pets/./x',
    '/pets/%2e%2E/x',
    '/pets/.%2e',
    '/pets\\..\\x',
    '/pets#x',
    '/pets x',
    '/pets\n',
    '/\tpets',
  ])('rejects %j', (path) => {
    expect(() => resolvePath(base, path)).toThrow(InvalidInputError);
  });

  test('an accepted path stays within the origin and the prefix', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('/', '.', '%2e', '%2F', 'a', '@', ':', '?', ';', '\\') }),
        (tail) => {
          let path: string;
          try {
            path = resolvePath(base, `/${tail}`);
          } catch {
            return true;
          }
          const url = new URL(path, base.origin);
          return url.origin === base.origin && url.pathname.startsWith('/v1/');
        },
      ),
    );
  });
});

// A quadratic regular expression would take more than the time limit of a test.
test.each(['/', ' ', '.', '%', '%2f'])('parses a path of 200,000 times %j in linear time', (text) => {
  const { prefix } = parseBaseUrl(`https://pets.test/v1${text.repeat(200_000)}x`, false);
  expect(prefix.length).toBeGreaterThan(4);
  expect(parseBaseUrl(`https://pets.test/v1${'/'.repeat(200_000)}`, false).prefix).toBe('/v1');
});

test.each([5, {}, null, true, ['https://pets.test/v1']])('rejects the value %j, which is no URL', (value) => {
  expect(() => parseBaseUrl(value as never, false)).toThrow('The base URL must be a string or a URL');
});

test('accepts a URL object', () => {
  expect(parseBaseUrl(new URL('https://pets.test/v1'), false).prefix).toBe('/v1');
});
