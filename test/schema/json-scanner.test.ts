import { describe, expect, test } from 'vitest';
import { isNestedTooDeeply, NESTING_MAX } from '../../src/schema/json-scanner.js';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('isNestedTooDeeply', () => {
  test.each<[string, string, boolean]>([
    ['arrays at the limit', nested(NESTING_MAX), false],
    ['arrays above it', nested(NESTING_MAX + 1), true],
    ['objects', `${'{"a":'.repeat(NESTING_MAX)}{}${'}'.repeat(NESTING_MAX)}`, true],
    ['mixed', `${'[{"a":'.repeat(501)}1${'}]'.repeat(501)}`, true],
    ['many side by side', `[${'[],'.repeat(5_000)}{}]`, false],
    ['brackets in a string', `["${'['.repeat(5_000)}"]`, false],
    ['an unfinished text', '['.repeat(200_000), true],
  ])('%s', (_, text, expected) => expect(isNestedTooDeeply(text)).toBe(expected));
});
