import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csv, importFolder, writes } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';

// The process of an import is killed before each change of a file at its start, and at its first rows. Then come the next
// commands. No row is sent twice, and none is lost.

const KILL_AT_CHANGE = join(import.meta.dirname, '../support/kill-at-change.cjs');
const FIRST = csv(3);
const NEXT = FIRST.replaceAll('row', 'next');
/** Every change with PETSTORE_TEST_FULL=1. */
const STRIDE = IS_FULL ? 1 : 20;

type Setup = Awaited<ReturnType<typeof importFolder>>;

/** How often each name was sent. */
function sentNames({ mock }: Setup): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body = '{}' } of writes(mock.journal)) {
    const { name } = JSON.parse(body) as { name: string };
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Runs `pets import`, killed before a change. Returns whether it came so far. */
async function killedAt(
  { folder, start }: Setup,
  change: number,
  words: string,
  input?: string,
): Promise<boolean> {
  const env = {
    NODE_OPTIONS: `--require=${KILL_AT_CHANGE}`,
    KILLED_FOLDER: folder,
    KILLED_CHANGE: String(change),
  };
  const more = input === undefined ? { env } : { env, input };
  const running = start(`pets import ${words} --concurrency 1`, more);
  await running.finished;
  return running.child.signalCode === 'SIGKILL';
}

/** Resumes until no row is left. Rows of unknown outcome are not sent again. */
async function expectComplete(setup: Setup, words: string, names: readonly string[]): Promise<void> {
  const line = `pets import ${words} --on-unknown skip --json`;
  let last = await setup.run(line);
  if (last.exitCode === 2) last = await setup.run(`${line} --resume`);
  expect(last).toMatchObject({ exitCode: expect.toSatisfy((code) => code === 0 || code === 10) });
  const { left, unknown } = JSON.parse(last.stdout) as Record<string, number>;
  expect(left).toBe(0);
  const sent = sentNames(setup);
  for (const name of names)
    expect([name, sent.get(name) ?? 0]).toEqual([name, unknown === 0 ? 1 : expect.toBeOneOf([0, 1])]);
  expect([...sent.values()].filter((count) => count > 1)).toEqual([]);
  expect(existsSync(`${setup.journal}.lock`)).toBe(false);
}

const namesOf = (word: string): string[] => [1, 2, 3].map((number) => `${word} ${String(number)}`);

test('a first import that is killed at any change completes', async () => {
  let change = 1;
  for (let isKilled = true; isKilled; change += STRIDE) {
    const setup = await importFolder(FIRST);
    isKilled = await killedAt(setup, change, 'pets.csv');
    await expectComplete(setup, 'pets.csv', namesOf('row'));
  }
  expect(change).toBeGreaterThan(15);
}, 240_000);

test.runIf(IS_FULL)(
  'a next import that is killed at any change does not hide what the finished one created (PETSTORE_TEST_FULL=1)',
  async () => {
    let change = 1;
    for (let isKilled = true; isKilled; change += STRIDE) {
      const setup = await importFolder(FIRST);
      const path = join(setup.folder, 'pets.csv');
      expect((await setup.run('pets import pets.csv')).exitCode).toBe(0);
      writeFileSync(path, NEXT);
      isKilled = await killedAt(setup, change, 'pets.csv');
      // The rows of the finished import, unasked.
      writeFileSync(path, FIRST);
      const again = await setup.run('pets import pets.csv');
      expect([
        change,
        again.exitCode === 0 && /Nothing was sent|created before/.test(again.stderr) ? 2 : again.exitCode,
      ]).toEqual([change, expect.toBeOneOf([0, 2])]);
      for (const name of namesOf('row')) expect(sentNames(setup).get(name)).toBe(1);
      writeFileSync(path, NEXT);
      await expectComplete(setup, 'pets.csv', namesOf('next'));
    }
    expect(change).toBeGreaterThan(20);
  },
  240_000,
);

function journalsOfStdin({ folder }: Setup): string[] {
  const imports = join(folder, 'state/imports');
  return existsSync(imports) ? readdirSync(imports).filter((name) => name.endsWith('.journal')) : [];
}

/** The command that a hint proposes. */
const RESUME = /^hint: To resume\b.* run: (?:COMMAND \| )?petstore (.*)$/m;

test.each(IS_FULL ? ['- --journal j', '-'] : ['-'])(
  'stdin (%s): an import that is killed at any change completes, when the pipe is repeated as it was',
  async (words) => {
    let change = 1;
    for (let isKilled = true; isKilled; change += STRIDE) {
      const setup = await importFolder(FIRST);
      isKilled = await killedAt(setup, change, words, FIRST);
      rmSync(join(setup.folder, 'pets.csv'));
      // It had ended, and only its lock is left: the same pipe is another import.
      const isEnded = sentNames(setup).size === 3 && journalsOfStdin(setup).length === 0;
      if (isEnded && words === '-') continue;
      let last = await setup.run(`pets import ${words} --on-unknown skip`, { input: FIRST });
      if (last.exitCode === 2) last = await setup.run(RESUME.exec(last.stderr)![1]!, { input: FIRST });
      expect([0, 10]).toContain(last.exitCode);
      const sent = [...sentNames(setup).values()];
      expect([...sent, last.exitCode === 0 ? sent.length : 3]).toEqual([...sent.map(() => 1), 3]);
    }
    expect(change).toBeGreaterThan(15);
  },
  240_000,
);
