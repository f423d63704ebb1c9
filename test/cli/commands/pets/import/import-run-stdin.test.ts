import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interruption } from '../../../../../src/cli/system/context.js';
import { ALL_MADE, created, lost, rejected, ROWS, setUp, summaryLines } from '../import-folder.js';

/** The command that a hint proposes, without its first words. */
const RESUME = /^hint: To resume that import, run: petstore pets import (.*) --concurrency 1$/m;

test('stdin: removes its journal when done', async () => {
  const { run, path } = setUp({});
  const { exitCode, stdout } = await run('- --json created,journal', { responses: ALL_MADE, stdin: ROWS });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"created":3,"journal":null}\n' });
  expect(readdirSync(path('state/imports'))).toEqual([]);
});

test('stdin: names the command that resumes it before the first row is sent', async () => {
  const { run } = setUp({});
  const NOTE =
    /^If this import is killed, resume it with: petstore pets import \S+\.input --resume --journal \S+ /m;
  expect((await run('-', { responses: ALL_MADE, stdin: ROWS })).stderr).toMatch(NOTE);
  expect((await run('- --journal j', { responses: ALL_MADE, stdin: ROWS })).stderr).not.toMatch(NOTE);
});

test.each([
  [
    'a rate limit',
    { status: 429, headers: { 'retry-after': '400' } },
    6,
    /hint: From \S+ on, run: petstore pets import (\S+) --resume --journal (\S+) /,
  ],
  [
    'a rejected key',
    { status: 401 },
    3,
    /^To resume, run: petstore pets import (\S+) --resume --journal (\S+) /m,
  ],
] as const)(
  '%s at the first row of stdin: the resume command finds the rows',
  async (_, response, code, line) => {
    const { run } = setUp({});
    const { exitCode, stderr } = await run('-', { stdin: ROWS, responses: [response] });
    expect(exitCode).toBe(code);
    const [, input, journal] = line.exec(stderr)!;
    const again = await run(`${input!} --resume --journal ${journal!}`, { responses: ALL_MADE });
    expect(again).toMatchObject({ exitCode: 0, stdout: summaryLines(3, 0, 0, 0, 0) });
  },
);

test.each([
  ['no row sent', [{ status: 429, headers: { 'retry-after': '400' } }], 6, 3, 'Rex,7,sold'],
  ['a lost response', [lost], 10, 2, 'Bo,9,'],
] as const)(
  '%s: the same pipe again sends nothing, and names the command that resumes',
  async (_, responses, exitCode, left, common) => {
    const { run, path } = setUp({});
    const first = await run('- --no-retry', { stdin: ROWS, responses });
    expect(first.exitCode).toBe(exitCode);
    const again = await run('-', { stdin: `name,category,status\nTom,5,\n${common}\n` });
    expect(again).toMatchObject({ exitCode: 2, requests: [] });
    expect(again.stderr).toMatch(/^error: 1 of 2 rows are also in the import of 2026-\S+ \S+ \(journal /);
    const [, resume] = RESUME.exec(again.stderr)!;
    const resumed = await run(`${resume!} --on-unknown skip`, { responses: ALL_MADE.slice(-left) });
    expect(resumed.requests.filter(({ method }) => method === 'POST')).toHaveLength(left);
    // Other rows, another journal and the mock are other imports.
    for (const line of ['-', '- --journal j', '- --mock'])
      expect(
        (await run(line, { stdin: 'name,category\nTom,5\n', responses: [created(1, 5)] })).exitCode,
      ).toBe(0);
    expect(readdirSync(path('state/imports')).filter((name) => name.endsWith('.journal'))).toHaveLength(
      exitCode === 10 ? 1 : 0,
    );
  },
);

test('an error of closing does not replace the report of the import', async () => {
  const { run, path } = setUp({});
  const { exitCode, stdout, stderr } = await run('- --journal j', {
    responses: ALL_MADE,
    stdin: ROWS,
    onSend(count) {
      if (count !== 3) return;
      rmSync(path('j.input'));
      mkdirSync(path('j.input'));
    },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: summaryLines(3, 0, 0, 0, 0) });
  expect(stderr).toMatch(/Closing the journal failed: .*Do not send these rows again without --resume\.$/m);
});

test("stdin and rejected rows that can't be written: the next run writes them", async () => {
  const { run, path, folder } = setUp({});
  const { exitCode, stderr } = await run('-', {
    currentDirectory: path('taken-away'),
    stdin: ROWS,
    responses: [created(1), rejected, created(3)],
  });
  expect(exitCode).toBe(1);
  const [, line] = /^hint: To resume, run: petstore pets import (.*)$/m.exec(stderr)!;
  const again = await run(line!.replace(' --concurrency 1', ''));
  expect(again).toMatchObject({ exitCode: 1, requests: [] });
  const [name] = readdirSync(path('state/imports')).filter((each) => each.endsWith('.rejected.csv'));
  expect(readFileSync(join(folder, 'state/imports', name!), 'utf8')).toContain('Mia,8,');
});

test('^C with stdin: keeps the rows, readable by their owner only', async () => {
  const { run, path } = setUp({});
  const controller = new AbortController();
  const { stderr } = await run('-', {
    responses: ALL_MADE,
    stdin: ROWS,
    signal: controller.signal,
    onSend(count) {
      if (count === 1) controller.abort(new Interruption(130));
    },
  });
  const [, input, journal] = /^To resume, run: petstore pets import (\S+) --resume --journal (\S+) /m.exec(
    stderr,
  )!;
  expect(statSync(input!).mode & 0o777).toBe(0o600);
  expect(statSync(path('state/imports')).mode & 0o777).toBe(0o700);
  const again = await run(`${input!} --resume --journal ${journal!}`, {
    responses: [created(2), created(3)],
  });
  expect(again).toMatchObject({ exitCode: 0, stdout: summaryLines(2, 1, 0, 0, 0) });
  // No command refers to these files.
  expect(readdirSync(path('state/imports'))).toEqual([]);
});
