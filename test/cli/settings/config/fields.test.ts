import { expect, test } from 'vitest';
import { checkFields, CONFIG_FIELDS, PROFILE_FIELDS } from '../../../../src/cli/settings/config/fields.js';

const inProfile = (fields: string): string => `{ "profiles": { "shop": ${fields} } }`;

test.each([
  '{}',
  '{ "profile": "shop", "profiles": {}, "trustedUrls": ["x"] }',
  inProfile('{}'),
  inProfile(
    '{ "baseUrl": "x", "stagingUrl": "y", "output": "json", "color": "auto", "keyIn": "file", "trustedUrls": [] }',
  ),
])('accepts %s', (content) => {
  expect(() => {
    checkFields(JSON.parse(content), CONFIG_FIELDS, 'f');
  }).not.toThrow();
});

test.each([
  ['[]', 'f must be a JSON object'],
  ['"text"', 'f must be a JSON object'],
  ['{ "profile": null }', 'profile in f must be a string'],
  ['{ "profiles": null }', 'profiles in f must be a JSON object'],
  ['{ "trustedUrls": "x" }', 'trustedUrls in f must be a list'],
  [inProfile('{ "apiKey": "x" }'), 'profiles.shop.apiKey in f: an API key does not belong in this file'],
  [inProfile('null'), 'profiles.shop in f must be a JSON object'],
  [inProfile('{ "baseUrl": 7 }'), 'profiles.shop.baseUrl in f must be a string'],
  [inProfile('{ "trustedUrls": [7] }'), 'profiles.shop.trustedUrls[0] in f must be a string'],
  [inProfile('{ "keyIn": 7 }'), 'profiles.shop.keyIn in f: The value is not one of keychain, file'],
  [
    inProfile('{ "color": "alway" }'),
    'profiles.shop.color in f: "alway" is not one of auto, always, never',
    'Did you mean "always"?',
  ],
  [inProfile('{ "other": 7, "baseUrl": 7 }'), 'profiles.shop.baseUrl in f must be a string'],
  [
    inProfile('{ "other": 7 }'),
    'Unknown field "profiles.shop.other" in f',
    `Known fields: ${Object.keys(PROFILE_FIELDS).join(', ')}.`,
  ],
  [inProfile('{ "constructor": 7 }'), 'Unknown field "profiles.shop.constructor" in f'],
  [inProfile('{ "__proto__": 7 }'), 'Unknown field "profiles.shop.__proto__" in f'],
  [`{ "${'x'.repeat(61)}": 1 }`, `Unknown field "${'x'.repeat(60)}…" in f`],
])('refuses %s', (content, message, hint = expect.any(String) as string) => {
  expect(() => {
    checkFields(JSON.parse(content), CONFIG_FIELDS, 'f');
  }).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message,
      hint,
      facts: expect.objectContaining({ places: [{ file: 'f' }] }),
    }),
  );
});
