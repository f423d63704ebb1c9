import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as entryPoint from '../../src/mock/index.js';

const root = fileURLToPath(new URL('../../src/mock/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

test('exports these names', () => {
  expect(Object.keys(entryPoint).sort()).toEqual([
    'BUILT_IN_NAMES',
    'BUILT_IN_REDIRECTS',
    'DEFAULT_KEY',
    'FAULT_NAMES',
    'FAULT_PROFILES',
    'MOCK_PLANS',
    'MockDataError',
    'createMock',
    'parseFault',
    'readSnapshot',
    'snapshotJson',
  ]);
});

test('a mock has these members, without those for hosts', () => {
  expect(Object.keys(entryPoint.createMock()).sort()).toEqual([
    'advance',
    'clearJournal',
    'clock',
    'dns',
    'exchange',
    'explain',
    'fetch',
    'forKey',
    'handle',
    'instance',
    'journal',
    'keys',
    'listen',
    'removeTenant',
    'reset',
    'restore',
    'setFaults',
    'snapshot',
    'state',
    'subscribe',
    'tenant',
    'updateFaults',
    'verify',
    'waitForRequests',
  ]);
});

test('exports every type that a public type names', () => {
  const text = (name: string): string => files.find((file) => file.name === name)?.text ?? '';
  const exported = new Set([...text('index.ts').matchAll(/\w+/g)].map(([name]) => name));
  const named = [...text('mock.ts').matchAll(/^import type \{ ([^}]+) \}/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test('shares no code with the client, so that no bug is in both', () => {
  expect(files.length).toBeGreaterThan(15);
  const foreign = files.flatMap(({ name, text }) =>
    [...text.matchAll(/^(import|export) (type )?[^;]*? from '([^']+)'/gm)]
      .filter(([, , type, from = '']) => {
        if (from === 'msw') return name !== 'msw.ts';
        if (/^(?:preact(?:\/hooks)?|htm)$/.test(from)) return !name.startsWith('ui/');
        if (from === 'dns-packet') return !name.startsWith('dns/');
        if (from.startsWith('node:')) return type === undefined;
        if (
          /\/(?:schema\/(?:json|json-inspect|int64)|options\/(?:check-options|suggest)|time\/[a-z-]+)\.js$/.test(
            from,
          )
        )
          return false;
        return (
          !from.startsWith('.') ||
          /^(?:\.\.\/){2}(?!dns|pets|service|mock\.js|tenant\.js)/.test(from) ||
          /^\.\.\/(?:client|cli|domain|errors)/.test(from)
        );
      })
      .map(([, , , from]) => `${name}: ${String(from)}`),
  );
  expect(foreign).toEqual([]);
});

test('only the fetch host uses Web classes, which are slow to load', () => {
  const touching = files
    .filter(({ text }) => /new (?:Request|Response|Headers)\b/.test(text))
    .map(({ name }) => name);
  expect(touching.sort()).toEqual(['http/fetch.ts']);
});
