import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONCURRENCY } from '../../../../../src/bulk/send/import-run.js';
import type { Prompter } from '../../../../../src/cli/system/context.js';
import { runFake, type Scripted } from '../../../../support/fake-context.js';
import { rateLimitHeaders } from '../../../../support/rate-limit-headers.js';
import { createVirtualClock } from '../../../../support/virtual-clock.js';
import { ALL_MADE, created, ROWS, setUp } from '../import-folder.js';

test('on a terminal: the remaining time includes waits for the rate limit', async () => {
  const { run } = setUp({ 'pets.csv': `name,categoryId\n${'Rex,7\n'.repeat(1_000)}` });
  const clock = createVirtualClock();
  const now = clock.now();
  const headers = rateLimitHeaders({ now, limit: 60, remaining: 59, resetInSeconds: 60 });
  const controller = new AbortController();
  const { stderr } = await run('pets.csv --reserve 95', {
    clock,
    terminals: ['stderr'],
    responses: [{ headers, body: '[]' }, created(1, 7), created(2, 7)],
    signal: controller.signal,
    onSend(count) {
      if (count !== 3) return;
      clock.setWall(now + 60_000);
      controller.abort();
    },
  });
  // 50 rows a day. By the rate of the first row alone, it would be some hours.
  expect(stderr).toContain(' 1/1000  0%  1/min  19 days 23 h left');
});

describe('a file with rows that a finished import created', () => {
  const terminals = ['stdin', 'stderr'] as const;
  const others = (): Scripted[] => [created(4, 8), created(5, 9)];

  /** Imports a file, changes one row, and imports it again. */
  async function importAgain(answer: string, flags = '') {
    const { run, path } = setUp();
    await run('pets.csv', { responses: ALL_MADE });
    writeFileSync(path('pets.csv'), ROWS.replace('Mia', 'Mimi'));
    const questions: string[] = [];
    const prompter = {
      choose(question: string, choices: readonly { name: string; value: string }[]) {
        questions.push(question, ...choices.map(({ name }) => name));
        return Promise.resolve(answer);
      },
    } as unknown as Prompter;
    const responses = answer === 'send' ? [created(6, 7), ...others()] : others();
    return { questions, ...(await run(`pets.csv${flags}`, { terminals, prompter, responses })) };
  }

  test.each([
    ['stop', 2, []],
    ['skip', 0, ['Mimi']],
    ['send', 0, ['Rex', 'Mimi', 'Bo']],
  ])('on a terminal asks which rows to send: %s', async (answer, exitCode, names) => {
    const { questions, requests, stderr, ...outcome } = await importAgain(answer);
    expect(outcome.exitCode).toBe(exitCode);
    expect(questions).toEqual([
      'Which rows to send?',
      'none',
      'only the other rows (--resume)',
      'all rows again (as with another --journal)',
    ]);
    expect(stderr).toMatch(/2 of 3 rows in pets\.csv equal rows that the import of \d{4}-\d\d-\d\d /);
    expect(requests.map(({ body }) => (JSON.parse(body!) as { name: string }).name)).toEqual(names);
  });

  test.each([' --yes', ' --no-input'])('%s does not choose', async (flags) => {
    expect(await importAgain('send', flags)).toMatchObject({ exitCode: 2, questions: [], requests: [] });
  });
});

test.each([
  ['pets.csv --ignore-columns', 'pets.csv', ''],
  ['- --format csv', '-', `name,category\n${'Rex,x\n'.repeat(120)}`],
])(
  '%s: of many errors the first 20, the count, and the command that lists all',
  async (line, file, stdin) => {
    const { run } = setUp({ 'pets.csv': `name,category\n${'Rex,x\n'.repeat(120)}` });
    const { exitCode, stderr } = await run(line, { stdin });
    const lines = stderr.trimEnd().split('\n');
    const name = file === '-' ? 'stdin' : file;
    const flags = line.slice(file.length);
    expect(exitCode).toBe(2);
    expect(lines[0]).toBe(`error: ${name} has 120 errors:`);
    expect(lines[20]).toBe(`  ${name}:21:5: category "x" is not a 64-bit integer in plain digits, such as 7`);
    const command = `petstore pets import ${file} --dry-run --query errors -o csv${flags}`;
    expect(lines.slice(21)).toEqual([
      '  and 100 more',
      'hint: Fix these rows, then run the command again. Nothing was sent.',
      `hint: To list all errors, run: ${command}`,
    ]);

    const { stdout } = await run(`${file} --dry-run --query errors -o csv${flags}`, { stdin });
    const table = stdout.split('\r\n');
    expect([table[0], table[120], table.length]).toEqual([
      'line,column,row,field,message',
      '121,5,120,categoryId,"category ""x"" is not a 64-bit integer in plain digits, such as 7"',
      122,
    ]);
  },
);

test('the help has the default concurrency', async () => {
  const { stdout } = await runFake('pets import --help');
  expect(stdout).toMatch(new RegExp(`--concurrency <n> [^]*\\(default ${String(CONCURRENCY)}\\)`));
});
