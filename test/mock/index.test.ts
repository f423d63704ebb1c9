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
    'readSnapshot',
  ]);
});

test('a mock has these members; what only hosts need is not among them', () => {
  expect(Object.keys(door.createMock()).sort()).toEqual([
    'advance',
    'dns',
    'exchange',
    'fetch',
    'handle',
    'instance',
    'journal',
    'keys',
    'listen',
    'reset',
    'setFaults',
    'snapshot',
    'state',
    'tenant',
    'verify',
  ]);
});

test('whatever a public type names is exported too', () => {
  const text = (name: string): string => files.find((file) => file.name === name)?.text ?? '';
  const exported = new Set([...text('index.ts').matchAll(/\w+/g)].map(([name]) => name));
  const named = [...text('mock.ts').matchAll(/^import type \{ ([^}]+) \}/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test('shares nothing with the client: its bugs would cancel out in every test', () => {
  expect(files.length).toBeGreaterThan(15);
  const foreign = files.flatMap(({ name, text }) =>
    [...text.matchAll(/^(import|export) (type )?[^;]*? from '([^']+)'/gm)]
      .filter(([, , type, from = '']) => {
        if (from === 'msw') return name !== 'msw.ts';
        if (from === 'dns-packet') return !name.startsWith('dns/');
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
