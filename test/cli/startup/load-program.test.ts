import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CodeStore, loadProgram } from '../../../src/cli/startup/load-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Script = Parameters<CodeStore['add']>[2];

/** A store in memory: what a run added is found by the next. */
function memoryStore(): CodeStore & { scripts: Map<string, Script>; keep(): void } {
  const scripts = new Map<string, Script>();
  const kept = new Map<string, Buffer>();
  return {
    scripts,
    find: (name) => kept.get(name),
    add: (name, _, script) => scripts.set(name, script),
    keep() {
      for (const [name, script] of scripts) kept.set(name, script.createCachedData());
    },
  };
}

const load = (folder: string, store: CodeStore = memoryStore()): Record<string, unknown> =>
  // What the entries below export.
  loadProgram(folder, 'entry.cjs', store) as Record<string, unknown>;

test('an entry is run with what a CommonJS file has', () => {
  const folder = temporaryFolder({
    'entry.cjs':
      'exports.seen = [__filename, __dirname, typeof module, this === exports]; exports.path = require("node:path");',
  });
  const { seen, path } = load(folder);
  expect(seen).toEqual([join(folder, 'entry.cjs'), folder, 'object', true]);
  expect(path).toHaveProperty('join');
});

test('files beside it are run once, also where they require one another in a circle', () => {
  const folder = temporaryFolder({
    'entry.cjs': 'exports.a = require("./a.cjs"); exports.same = require("./a.cjs") === exports.a;',
    'a.cjs':
      'globalThis.petstoreRuns = (globalThis.petstoreRuns ?? 0) + 1; exports.early = 1; exports.b = require("./b.cjs");',
    'b.cjs': 'module.exports = { ofA: require("./a.cjs").early, runs: globalThis.petstoreRuns };',
  });
  expect(load(folder)).toEqual({ a: { early: 1, b: { ofA: 1, runs: 1 } }, same: true });
});

test('text beyond ASCII is read as UTF-8', () => {
  expect(load(temporaryFolder({ 'entry.cjs': 'exports.name = "Ида 猫";' }))).toEqual({ name: 'Ида 猫' });
});

test('code of an earlier run is taken, and of another file is not', () => {
  const folder = temporaryFolder({ 'entry.cjs': 'exports.answer = () => 42;' });
  const store = memoryStore();
  load(folder, store);
  expect(store.scripts.get('entry.cjs')?.cachedDataRejected).toBeUndefined();
  store.keep();
  expect((load(folder, store).answer as () => number)()).toBe(42);
  expect(store.scripts.get('entry.cjs')?.cachedDataRejected).toBe(false);

  const longer = temporaryFolder({ 'entry.cjs': 'exports.answer = () => 42 + 1;' });
  expect((load(longer, store).answer as () => number)()).toBe(43);
  expect(store.scripts.get('entry.cjs')?.cachedDataRejected).toBe(true);
});

test('a stack names file, line and column as Node would', () => {
  const folder = temporaryFolder({ 'entry.cjs': '  exports.fail = () => { throw new Error("x"); };\n' });
  const { fail } = load(folder) as { fail: () => never };
  let stack: string | undefined;
  try {
    fail();
  } catch (error) {
    ({ stack } = error as Error);
  }
  expect(stack).toContain(`${join(folder, 'entry.cjs')}:1:32`);
});
