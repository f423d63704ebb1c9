import { expect, test } from 'vitest';
import { fieldPath } from '../../../src/cli/config/field-path.js';

test.each([
  ['', 'target', 'target'],
  ['', '$schema', '$schema'],
  ['redirects[0]', 'x-api-key', 'redirects[0].x-api-key'],
  ['profiles', 'a b', 'profiles."a b"'],
  ['profiles', 'größe', 'profiles."größe"'],
  ['', '\n::stop-commands::t', '"\\n::stop-commands::t"'],
])('in %j, %j is at %s', (parent, name, expected) => {
  expect(fieldPath(parent, name)).toBe(expected);
});
