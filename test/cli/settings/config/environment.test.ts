import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../../../../src/cli/settings/config/environment.js';

const names = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));
const sources = readdirSync('src/cli', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(`src/cli/${path}`, 'utf8') }));
const shared = readFileSync('src/security/state-directory.ts', 'utf8');

/** Files that read a variable whose name is not a literal. */
const COMPOSED = [
  'commands/config/set.ts',
  'commands/doctor/invalid-settings.ts',
  'settings/config/settings.ts',
  'settings/network/proxy.ts',
  'system/context.ts',
  'system/files/paths.ts',
];

function readIn(text: string): string[] {
  const reads = text.matchAll(
    /\b(?:variable|xdgDirectory)\([\w.]+, '(\w+)'\)|\benv\.([A-Z]\w*)|\benv\[?'(\w+)'\]|\bvariable: '(\w+)'/g,
  );
  return [...reads].map((match) => match.slice(1).find((name) => name !== undefined)!);
}

test('lists every variable that the code reads', () => {
  const missing = sources.flatMap(({ path, text }) =>
    readIn(text)
      .filter((name) => !names.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the code reads variables by literal names, which the test above needs', () => {
  const composed = sources.filter(({ text }) =>
    /\bvariable\((?!context: )[\w.]+, (?!')|\benv\[(?!')/.test(text),
  );
  expect(composed.map(({ path }) => path.replaceAll('\\', '/')).sort()).toEqual(COMPOSED);
});

test('the code reads every variable in the list', () => {
  const read = new Set([
    ...[...sources.map(({ text }) => text), shared].flatMap(readIn),
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
  ]);
  expect([...names].filter((name) => !read.has(name))).toEqual([]);
});
