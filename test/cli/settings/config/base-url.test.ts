import { describe, expect, test } from 'vitest';
import { checkBaseUrl } from '../../../../src/cli/settings/config/base-url.js';
import { createPetStore } from '../../../../src/client/internal.js';

describe('checkBaseUrl', () => {
  test.each([';', '{', '$', '(', ')', '`', '&', '!', "'", '"', '*', '~', '_'])(
    'refuses a host with %s, which a shell would interpret',
    (character) => {
      const url = `https://x${character}sh.evil.test/v1`;
      expect(new URL(url).hostname).toContain(character);
      expect(() => checkBaseUrl('baseUrl', url)).toThrow(/baseUrl has a host name with invalid characters/);
    },
  );

  test.each(['/', ' ', '.', '%', '@', ':', 'é'])(
    'refuses 200,000 of %j with a short message',
    (character) => {
      const text = `https://pets.test/v1${character.repeat(200_000)}`;
      expect(() => checkBaseUrl('--base-url', text)).toThrow(
        /^--base-url has 200,020 characters, and the maximum is 2,000$/,
      );
    },
  );

  test.each([
    ['pets.test/v1', /must start with https/],
    ['localhost:4010/v1', /must start with https/],
    ['ftp://pets.test', /must start with https/],
    ['https://', /is not a URL/],
    ['"https://pets.test/v1"', /^--base-url is in quotes, which are part of the value$/],
    ["'https://pets.test/v1'", /is in quotes/],
    ['https://ida:hunter2@pets.test/v1', /user name or password/],
    ['https://pets.test/v1?x=1', /query or a fragment/],
    ['http://pets.test/v1', /plain http to pets\.test/],
    ['http://127.0.0.1.evil.test/v1', /plain http/],
    ['http://pets.localhost/v1', /plain http to pets\.localhost/],
  ])('refuses %s and shows no password', (url, message) => {
    expect(() => checkBaseUrl('--base-url', url)).toThrow(message);
    expect(() => checkBaseUrl('--base-url', url)).not.toThrow(/hunter2/);
  });
});

// The command line names where an address comes from, so it checks by itself; what it checks is the client's rule.
test.each([
  'https://pets.test/v1',
  'HTTPS://PETS.test/v1',
  'https://pets.test',
  'https://pets.test/v1/',
  'https://pets.test:8443/v1',
  'https://pets.test/v1?',
  'https://pets.test/v1#',
  'http://127.0.0.1:4010/v1',
  'http://127.1/v1',
  'http://127.255.255.255/v1',
  'http://2130706433/v1',
  'http://localhost/v1',
  'http://LOCALHOST/v1',
  'http://pets.localhost/v1',
  'http://[::1]:1/v1',
  'http://[0:0:0:0:0:0:0:1]/v1',
  '',
  ' https://pets.test/v1',
  'pets.test/v1',
  'localhost:4010/v1',
  'https:/pets.test/v1',
  'ftp://pets.test/v1',
  'https://',
  'https://pets .test/v1',
  'https://ida@pets.test/v1',
  'https://:hunter2@pets.test/v1',
  'https://pets.test/v1?x=1',
  'https://pets.test/v1#x',
  'http://pets.test/v1',
  'http://0.0.0.0/v1',
  'http://[::]/v1',
  'http://[::ffff:127.0.0.1]/v1',
  'http://localhost./v1',
  'http://127.0.0.1.evil.test/v1',
  'http://localhost.evil.test/v1',
])('checkBaseUrl and the client agree on %j', (baseUrl) => {
  const accepts = (check: () => unknown): boolean => {
    try {
      check();
      return true;
    } catch (error) {
      expect(['UsageError', 'ConfigurationError']).toContain((error as Error).name);
      return false;
    }
  };
  expect(accepts(() => checkBaseUrl('--base-url', baseUrl))).toBe(
    accepts(() => createPetStore({ baseUrl, apiKey: 'k' })),
  );
});
