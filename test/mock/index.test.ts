import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as door from '../../src/mock/index.js';

const root = fileURLToPath(new URL('../../src/mock/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

test('the door has these names', () => {
  expect(Object.keys(door).sort()).toEqual([
    'DEFAULT_KEY',
    'FAULT_NAMES',
    'MOCK_PLANS',
    'createMock',
    'parseFault',
  ]);
});

test('shares nothing with the client: its bugs would cancel out in every test', () => {
  expect(files.length).toBeGreaterThan(15);
  const foreign = files.flatMap(({ name, text }) =>
    [...text.matchAll(/^(import|export) (type )?[^;]*? from '([^']+)'/gm)]
      .filter(([, , type, from = '']) => {
        if (from === 'msw') return name !== 'msw.ts';
        if (from.startsWith('node:')) return type === undefined;
        if (/\/schema\/(?:json|int64)\.js$/.test(from)) return false;
        return (
          !from.startsWith('.') || from.includes('../..') || /^\.\.\/(?:client|cli|domain|errors)/.test(from)
        );
      })
      .map(([, , , from]) => `${name}: ${String(from)}`),
  );
  expect(foreign).toEqual([]);
});

test('Web objects are touched by the fetch host alone: they cost a one-shot command more than all the rest', () => {
  const touching = files
    .filter(({ text }) => /new (?:Request|Response|Headers|URL)\b/.test(text))
    .map(({ name }) => name);
  expect(touching.sort()).toEqual(['http/fetch.ts', 'msw.ts']);
});
