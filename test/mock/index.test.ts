import { expect, test } from 'vitest';
import { importsOf } from '../support/imports-of.js';
import { filesBelow, readSource } from '../support/source-tree.js';

const files = filesBelow().filter((path) => /^src\/mock\/.*\.ts$/.test(path));

test('exports every type that a public type names', () => {
  const exported = new Set(readSource('src/mock/index.ts').match(/\w+/g));
  const named = [...readSource('src/mock/world/mock.ts').matchAll(/^import type \{ ([^}]+) \}/gm)].flatMap(
    ([, names = '']) => names.split(', '),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

/** Also keeps out the code of the client, so that no bug is in both. */
const SHARED =
  /^src\/(?:mock\/|schema\/(?:json|json-inspect|int64)\.|options\/(?:check-options|guard-callback|suggest)\.|foreign-error\.|time\/)/;
const PACKAGES: Readonly<Record<string, RegExp>> = {
  msw: /^src\/mock\/msw/,
  preact: /\/ui\//,
  htm: /\/ui\//,
  'dns-packet': /\/dns\//,
};

test('imports nothing else of this package, and few packages', () => {
  expect(files.length).toBeGreaterThan(15);
  const foreign = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => !SHARED.test(target) && !target.startsWith('node:'))
      .filter((target) => PACKAGES[target]?.test(path) !== true)
      .map((target) => `${path}: ${target}`),
  );
  expect(foreign).toEqual([]);
});

test('runs in a browser: imports only types of Node, and only the fetch host uses Web classes, which are slow to load', () => {
  const touching = (pattern: RegExp): string[] => files.filter((path) => pattern.test(readSource(path)));
  expect(touching(/^import (?!type )[^;]* from 'node:/m)).toEqual([]);
  expect(touching(/new (?:Request|Response|Headers)\b/)).toEqual(['src/mock/http/fetch.ts']);
});
