import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interruption } from '../../../../../src/cli/system/context.js';
import { ALL_MADE, made, refused, ROWS, setUp } from '../import-folder.js';

test('stdin: its journal goes when it is done', async () => {
  const { run, path } = setUp({});
  const { exitCode, stdout } = await run('- --json created,journal', { answers: ALL_MADE, stdin: ROWS });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"created":3,"journal":null}\n' });
  expect(readdirSync(path('state/imports'))).toEqual([]);
});

test('stdin is a terminal', async () => {
  expect(await setUp().run('-', { terminals: ['stdin'] })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('stdin is a terminal'),
  });
});

test.each([
  [
    'a limit',
    { status: 429, headers: { 'retry-after': '400' } },
    6,
    /hint: from \S+ on: petstore pets import (\S+) --resume --journal (\S+) /,
  ],
  [
    'a key that is refused',
    { status: 401 },
    3,
    /^go on with: petstore pets import (\S+) --resume --journal (\S+) /m,
  ],
] as const)(
  '%s at the first row of stdin: the rows that the line goes on with are there',
  async (_, answer, code, line) => {
    const { run } = setUp({});
    const { exitCode, stderr } = await run('-', { stdin: ROWS, answers: [answer] });
    expect(exitCode).toBe(code);
    const [, input, journal] = line.exec(stderr)!;
    const again = await run(`${input!} --resume --journal ${journal!}`, { answers: ALL_MADE });
    expect(again).toMatchObject({ exitCode: 0, stdout: '3\t0\t0\t0\t0\n' });
  },
);

test('stdin and a cost that nobody agrees to: nothing is kept', async () => {
  const { run, path } = setUp({});
  const stdin = `name,categoryId\n${'Rex,7\n'.repeat(30)}`;
  const answer = {
    body: '[]',
    headers: {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '99999999999',
    },
  };
  expect(await run('-', { stdin, answers: [answer] })).toMatchObject({ exitCode: 6 });
  expect(readdirSync(path('state/imports'))).toEqual([]);
});

test('stdin, and refused rows that no file takes: they are kept, and the next run writes them', async () => {
  const { run, path, folder } = setUp({});
  const { exitCode, stderr } = await run('-', {
    currentDirectory: path('taken-away'),
    stdin: ROWS,
    answers: [made(1), refused, made(3)],
  });
  expect(exitCode).toBe(1);
  const [, line] = /^hint: petstore pets import (.*)$/m.exec(stderr)!;
  const again = await run(line!.replace(' --concurrency 1', ''));
  expect(again).toMatchObject({ exitCode: 1, requests: [] });
  const [name] = readdirSync(path('state/imports')).filter((each) => each.endsWith('.refused.csv'));
  expect(readFileSync(join(folder, 'state/imports', name!), 'utf8')).toContain('Mia,8,');
});

test('^C of stdin: the rows are kept, for their owner alone', async () => {
  const { run, path } = setUp({});
  const controller = new AbortController();
  const { stderr } = await run('-', {
    answers: ALL_MADE,
    stdin: ROWS,
    signal: controller.signal,
    onSend(count) {
      if (count === 1) controller.abort(new Interruption(130));
    },
  });
  const [, input, journal] = /^go on with: petstore pets import (\S+) --resume --journal (\S+) /m.exec(
    stderr,
  )!;
  expect(statSync(input!).mode & 0o777).toBe(0o600);
  expect(statSync(path('state/imports')).mode & 0o777).toBe(0o700);
  const again = await run(`${input!} --resume --journal ${journal!}`, { answers: [made(2), made(3)] });
  expect(again).toMatchObject({ exitCode: 0, stdout: '2\t1\t0\t0\t0\n' });
  // Nobody knows of these files any more.
  expect(readdirSync(path('state/imports'))).toEqual([]);
});
