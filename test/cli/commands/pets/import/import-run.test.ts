import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Prompter } from '../../../../../src/cli/system/context.js';
import type { Scripted } from '../../../../support/fake-context.js';
import { rateLimitHeaders } from '../../../../support/rate-limit-headers.js';
import { ALL_MADE, created, ROWS, setUp, summaryLines } from '../import-folder.js';

describe('a successful import', () => {
  test('sends rows in order, and prints the summary as an object', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout, stderr, requests } = await run('pets.csv --json', { responses: ALL_MADE });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ created: 3, alreadyDone: 0, rejected: 0, unknown: 0, left: 0, rows: 3, sent: 3 },
      ...{ journal: 'pets.csv.journal', rejectedFile: null, rejectedFiles: [], stopped: null },
      ...{ rejectedRows: [], unknownRows: [], unknownSeen: null },
    });
    expect(stderr).toBe('3 requests\n');
    expect(requests.map(({ method, body }) => `${method} ${String(body)}`)).toEqual([
      'POST {"name":"Rex","categoryId":7,"status":"sold"}',
      'POST {"name":"Mia","categoryId":8}',
      'POST {"name":"Bo","categoryId":9}',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal']);
  });

  test.each([
    ['', summaryLines(3, 0, 0, 0, 0)],
    ['-o csv', 'created,alreadyDone,rejected,unknown,left\r\n3,0,0,0,0\r\n'],
    ['--query created', '3\n'],
    ['--json created,rows', '{"created":3,"rows":3}\n'],
  ])('%s', async (flags, stdout) => {
    expect(await setUp().run(`pets.csv ${flags}`, { responses: ALL_MADE })).toMatchObject({
      exitCode: 0,
      stdout,
    });
  });

  test('on a terminal: one line per count, nothing twice', async () => {
    const { stdout, stderr } = await setUp().run('pets.csv', { responses: ALL_MADE, terminals: ['stdout'] });
    expect(stdout.replace(/\u001b\[\d+m/g, '')).toBe(
      'CREATED:      3\nALREADY DONE: 0\nREJECTED:     0\nUNKNOWN:      0\nLEFT:         0\n',
    );
    expect(stderr).toBe('3 requests\n✓ Imported 3 rows.\n');
  });

  test('on a terminal: the remaining time includes waits for the rate limit', async () => {
    const { run } = setUp({ 'pets.csv': `name,categoryId\n${'Rex,7\n'.repeat(1_000)}` });
    const now = Date.UTC(2026, 0, 2);
    const headers = rateLimitHeaders({ now, limit: 60, remaining: 59, resetInSeconds: 60 });
    const controller = new AbortController();
    const { stderr } = await run('pets.csv --reserve 95', {
      ...{ now, terminals: ['stderr'], responses: [{ headers, body: '[]' }, created(1, 7), created(2, 7)] },
      signal: controller.signal,
      onSend: (count) => void (count === 3 && controller.abort()),
    });
    // 50 rows a day. By the rate of the first row alone, it would be some hours.
    expect(stderr).toMatch(/ 1\/1000 .* 45\d h \d+ min left/);
  });

  test.each([
    ['', '=1+1'],
    ['--csv-raw', "'=1+1"],
  ])('the guard of an exported cell %s', async (flags, name) => {
    const { run } = setUp({ 'pets.csv': "name,categoryId\n'=1+1,1\n" });
    const { requests } = await run(`pets.csv ${flags}`, { responses: [created(1, 1)] });
    expect(requests.map(({ body }) => JSON.parse(body!))).toEqual([{ name, categoryId: 1 }]);
  });

  test('a second run sends nothing', async () => {
    const { run } = setUp();
    await run('pets.csv', { responses: ALL_MADE });
    const { exitCode, stdout, requests } = await run('pets.csv --json created,alreadyDone');
    expect({ exitCode, stdout, sent: requests.length }).toEqual({
      ...{ exitCode: 0, stdout: '{"created":0,"alreadyDone":3}\n', sent: 0 },
    });
    const { stderr } = await run('pets.csv --color never', { terminals: ['stdout', 'stderr'] });
    expect(stderr).toContain('✓ 3 rows were created before. Nothing was sent.\n');
  });

  test('--mock leaves no journal, so the real import is not affected', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout } = await run('pets.csv --mock --json created');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"created":3}\n' });
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'state']);
    expect(readdirSync(join(folder, 'state/imports'))).toEqual([]);
  });
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

describe('--dry-run', () => {
  test('only validates: no key, no address, no journal', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout, stderr, requests } = await run('pets.csv --dry-run --json', {
      env: { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' },
    });
    expect({ exitCode, stderr, sent: requests.length }).toEqual({
      ...{ exitCode: 0, stderr: '3 rows are valid. Nothing was sent.\n', sent: 0 },
    });
    expect(JSON.parse(stdout)).toEqual({
      ...{ rows: 3, format: 'csv', delimiter: ',', errorCount: 0, errors: [] },
    });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('uses the singular for one row', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\nRex,7\n' });
    expect((await run('pets.csv --dry-run')).stderr).toBe('1 row is valid. Nothing was sent.\n');
  });

  test('errors are not data, except in JSON formats', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\n,1\n' });
    for (const flags of ['', ' -o csv', ' -o yaml', ' -o table']) {
      const { exitCode, stdout, stderr } = await run(`pets.csv --dry-run${flags}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toBe(
        'error: pets.csv has 1 error:\n  pets.csv:2:1: name is missing\n' +
          'hint: Fix these rows, then run the command again. Nothing was sent.\n',
      );
    }
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
      expect(lines[20]).toBe(
        `  ${name}:21:5: category "x" is not a 64-bit integer in plain digits, such as 7`,
      );
      const command = `petstore pets import ${file} --dry-run --query errors -o csv${flags}`;
      expect(lines.slice(21)).toEqual([
        '  and 100 more',
        `hint: Fix these rows, then run the command again. Nothing was sent. To list all errors, run: ${command}`,
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

  test('JSON formats have errors on stdout as objects, and on stderr by line', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\n,1\nRex,x\n' });
    const { exitCode, stdout, stderr } = await run('pets.csv --dry-run -o ndjson');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      errors: [
        { line: 2, field: 'name' },
        { line: 3, field: 'categoryId' },
      ],
    });
    expect(JSON.parse(stderr).error.message).toMatch(/^pets\.csv has 2 errors:\n {2}pets\.csv:2:1: /);
  });
});
