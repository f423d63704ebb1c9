import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/context.js';
import { ENV, runFake, type Scripted, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const ROWS = 'name,categoryId,status\nRex,7,sold\nMia,8,\nBo,9,\n';
const made = (id: number): Scripted => ({
  status: 201,
  body: `{"id":${String(id)},"name":"x","categoryId":1}`,
});
const ALL_MADE = [made(1), made(2), made(3)];
const refused: Scripted = { status: 400, body: '{"code":"bad","message":"no such category","status":400}' };
const lost = new Error('connection reset');

/** A folder with rows, and what runs a command there. One request at a time, so that answers and rows go together. */
function setUp(files: Record<string, string> = { 'pets.csv': ROWS }) {
  const folder = temporaryFolder(files);
  const run = (line: string, world: World = {}) =>
    runFake(`pets import ${line} --concurrency 1`, {
      ...world,
      currentDirectory: folder,
      endlessFromMs: 5_000,
      env: { ...ENV, PETSTORE_STATE_DIR: join(folder, 'state'), ...world.env },
    });
  return { folder, run, path: (name: string) => join(folder, name) };
}

describe('all goes well', () => {
  test('rows are sent in order, and the summary is an object', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout, stderr, requests } = await run('pets.csv --json', { answers: ALL_MADE });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ created: 3, alreadyDone: 0, refused: 0, unknown: 0, left: 0, rows: 3, sent: 3 },
      ...{ journal: 'pets.csv.journal', refusedFile: null, refusedFiles: [], stopped: null },
      ...{ refusals: [], unknownRows: [], unknownSeen: null },
    });
    expect(stderr).toBe('3 requests\n3 created, 0 already done, 0 refused, 0 unknown\n');
    expect(requests.map(({ method, body }) => `${method} ${String(body)}`)).toEqual([
      'POST {"name":"Rex","categoryId":7,"status":"sold"}',
      'POST {"name":"Mia","categoryId":8}',
      'POST {"name":"Bo","categoryId":9}',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal']);
  });

  test.each([
    ['', '3\t0\t0\t0\t0\n'],
    ['-o csv', 'created,alreadyDone,refused,unknown,left\r\n3,0,0,0,0\r\n'],
    ['--query created', '3\n'],
    ['--json created,rows', '{"created":3,"rows":3}\n'],
  ])('%s', async (flags, stdout) => {
    expect(await setUp().run(`pets.csv ${flags}`, { answers: ALL_MADE })).toMatchObject({
      exitCode: 0,
      stdout,
    });
  });

  test('on a terminal: a line a count, and nothing twice', async () => {
    const { stdout, stderr } = await setUp().run('pets.csv', { answers: ALL_MADE, terminals: ['stdout'] });
    expect(stdout.replace(/\u001b\[\d+m/g, '')).toBe(
      'CREATED:      3\nALREADY DONE: 0\nREFUSED:      0\nUNKNOWN:      0\nLEFT:         0\n',
    );
    expect(stderr).toBe('3 requests\n');
  });

  test.each([
    ['', '=1+1'],
    ['--csv-raw', "'=1+1"],
  ])('the guard of an exported cell %s', async (flags, name) => {
    const { run } = setUp({ 'pets.csv': "id,name,categoryId\n9,'=1+1,1\n" });
    const { requests } = await run(`pets.csv ${flags}`, { answers: ALL_MADE });
    expect(requests.map(({ body }) => JSON.parse(body!))).toEqual([{ name, categoryId: 1 }]);
  });

  test('once more: nothing is sent', async () => {
    const { run } = setUp();
    await run('pets.csv', { answers: ALL_MADE });
    const { exitCode, stdout, requests } = await run('pets.csv --json created,alreadyDone');
    expect({ exitCode, stdout, sent: requests.length }).toEqual({
      ...{ exitCode: 0, stdout: '{"created":0,"alreadyDone":3}\n', sent: 0 },
    });
  });

  test('stdin: its journal goes when it is done', async () => {
    const { run, path } = setUp({});
    const { exitCode, stdout } = await run('- --json created,journal', { answers: ALL_MADE, stdin: ROWS });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"created":3,"journal":null}\n' });
    expect(readdirSync(path('state/imports'))).toEqual([]);
  });

  test('--mock leaves no journal behind, so that the real import is not taken for done', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout } = await run('pets.csv --mock --json created');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"created":3}\n' });
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'state']);
    expect(readdirSync(join(folder, 'state/imports'))).toEqual([]);
  });
});

describe('--dry-run', () => {
  test('checks and no more: no key, no address, no journal', async () => {
    const { run, folder } = setUp();
    const { exitCode, stdout, stderr, requests } = await run('pets.csv --dry-run --json', {
      env: { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' },
    });
    expect({ exitCode, stderr, sent: requests.length }).toEqual({
      ...{ exitCode: 0, stderr: '3 rows are right; nothing was sent\n', sent: 0 },
    });
    expect(JSON.parse(stdout)).toEqual({
      ...{ rows: 3, format: 'csv', delimiter: ',', faultCount: 0, faults: [] },
    });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('counts one row as one', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\nRex,7\n' });
    expect((await run('pets.csv --dry-run')).stderr).toBe('1 row is right; nothing was sent\n');
  });

  test('faults are no data but where objects are asked for', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\n,1\n' });
    for (const flags of ['', ' -o csv', ' -o yaml', ' -o table']) {
      const { exitCode, stdout, stderr } = await run(`pets.csv --dry-run${flags}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toBe(
        'error: pets.csv has one fault:\n  pets.csv:2: name is missing\n' +
          'hint: correct them, and run it again: nothing was sent\n',
      );
    }
  });

  test('faults are data as well: on stdout as objects, on stderr by line', async () => {
    const { run } = setUp({ 'pets.csv': 'name,categoryId\n,1\nRex,x\n' });
    const { exitCode, stdout, stderr } = await run('pets.csv --dry-run -o ndjson');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      faults: [
        { line: 2, field: 'name' },
        { line: 3, field: 'categoryId' },
      ],
    });
    expect(JSON.parse(stderr).error.message).toMatch(/^pets\.csv has 2 faults:\n {2}pets\.csv:2: /);
  });
});

describe('not begun: exit code 2, nothing sent, no journal', () => {
  test.each([
    ['missing.csv', {}, 'there is no file missing.csv'],
    [
      'pets.csv',
      { 'pets.csv': 'name,categoryId\nRex,\n' },
      'pets.csv has one fault:\n  pets.csv:2: categoryId is missing',
    ],
    [
      'pets.csv',
      { 'pets.csv': 'name,categoryId,status\nRex,1,Sold\n' },
      'pets.csv:2: status must be one of available, pending, sold; did you mean sold?',
    ],
    ['- --format json', {}, 'stdin has one fault:'],
  ])('%s with %j', async (line, files, message) => {
    const { run, folder } = setUp(files);
    const before = readdirSync(folder);
    const { exitCode, stdout, stderr, requests } = await run(line, { stdin: '{' });
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message.split('\n')[0]!}`.slice(0, 12));
    expect(stderr).toContain(message);
    expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(before);
  });

  test('stdin is a terminal', async () => {
    expect(await setUp().run('-', { terminals: ['stdin'] })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('stdin is a terminal'),
    });
  });

  test.each([
    [{ PETSTORE_API_KEY: '' }, 3],
    [{ PETSTORE_BASE_URL: '' }, 2],
  ])('%j: told before the rows are read', async (env, exitCode) => {
    const { run, folder } = setUp({ 'pets.csv': 'nonsense' });
    expect(await run('pets.csv', { env })).toMatchObject({ exitCode, stdout: '' });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('a key that is refused: the way is clear for the right one', async () => {
    const { run, path } = setUp();
    expect(await run('pets.csv', { answers: [{ status: 401 }] })).toMatchObject({ exitCode: 3 });
    expect(existsSync(path('pets.csv.journal'))).toBe(false);
    expect(await run('pets.csv', { answers: ALL_MADE })).toMatchObject({ exitCode: 0 });
  });
});

describe('it ends otherwise', () => {
  test('refused rows: exit code 1, and a file to mend', async () => {
    const { run, path } = setUp();
    const { exitCode, stdout, stderr } = await run('pets.csv --json refused,refusedFile', {
      answers: [made(1), refused, made(3)],
    });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: '{"refused":1,"refusedFile":"pets.refused.csv"}\n',
    });
    expect(stderr).toContain('line 3: refused: no such category (bad, HTTP 400)\n');
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1)!)).toMatchObject({
      error: {
        type: 'refused',
        message: '1 of 3 rows were refused',
        hint: 'mend them, then: petstore pets import pets.refused.csv --concurrency 1',
      },
    });
    expect(readFileSync(path('pets.refused.csv'), 'utf8')).toMatch(
      /^name,categoryId,status,error\r\nMia,8,,/,
    );
    expect(await run('pets.refused.csv', { answers: [made(2)] })).toMatchObject({ exitCode: 0 });
  });

  test('a lost answer: 10, what is like it, and the lines that go on', async () => {
    const { run } = setUp();
    const { exitCode, stderr } = await run('pets.csv', {
      answers: [made(1), lost, { body: '[{"id":5,"name":"Mia","categoryId":8}]' }],
    });
    expect(exitCode).toBe(10);
    expect(stderr).toContain('line 3: unknown: Mia, category 8: 5 is like it\n');
    expect(stderr).toContain(
      'error: 1 of 3 rows was sent and not answered: it may or may not have been created\n' +
        'hint: petstore pets import pets.csv --resume --concurrency 1 --on-unknown retry sends again what is not ' +
        'found; skip goes on without\n',
    );
    // Without a decision nothing is sent, and no cost is told.
    const again = await run('pets.csv --resume', { answers: [{ body: '[]' }] });
    expect(again).toMatchObject({ exitCode: 10, requests: [{ method: 'GET' }] });
    expect(again.stderr).not.toMatch(/requests?\n/);
    const skipped = await run('pets.csv --resume --on-unknown skip', { answers: [made(3), { body: '[]' }] });
    expect(skipped).toMatchObject({ exitCode: 10, stdout: '1\t1\t0\t1\t0\n' });
    const retried = await run('pets.csv --resume --on-unknown retry', {
      answers: [{ body: '[]' }, made(4)],
    });
    expect(retried).toMatchObject({
      ...{ exitCode: 0, stdout: '1\t2\t0\t0\t0\n' },
      stderr: expect.stringContaining('sending 1 row again that was not found\n'),
    });
  });

  test('unfinished, and not asked to go on: 2, with the line that does', async () => {
    const { run } = setUp();
    await run('pets.csv', { answers: [made(1), lost, { body: '[]' }] });
    expect(await run('pets.csv')).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr:
        'error: the journal pets.csv.journal has 1 row left and 1 of unknown outcome\n' +
        'hint: go on with it: petstore pets import pets.csv --resume --concurrency 1\n',
    });
  });

  test('changed since: 2, with the first line that differs', async () => {
    const { run, path } = setUp();
    await run('pets.csv', { answers: [made(1), lost, { body: '[]' }] });
    writeFileSync(path('pets.csv'), ROWS.replace('Mia', 'Mimi'));
    expect(await run('pets.csv --resume')).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr: expect.stringMatching(
        /^error: pets\.csv is not what .*; line 3 is the first that differs\nhint: /,
      ),
    });
  });

  test('a limit that asks for too long a wait: 6, from when on, and the line that goes on', async () => {
    const { run } = setUp();
    const { exitCode, stderr } = await run('pets.csv --json stopped', {
      answers: [made(1), { status: 429, headers: { 'retry-after': '400' } }],
    });
    expect(exitCode).toBe(6);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
    expect(error).toMatchObject({ type: 'rate-limit', exitCode: 6, retryable: true });
    expect(error.hint).toMatch(
      /^from \d\d:\d\d:\d\d on: petstore pets import pets\.csv --resume --concurrency 1$/,
    );
  });

  test('nobody there: 7, and the line that goes on', async () => {
    const { run } = setUp();
    const refusal = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { exitCode, stderr } = await run('pets.csv --on-unknown skip', {
      answers: [made(1), refusal],
    });
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(
      /\ngo on with: petstore pets import pets\.csv --resume --concurrency 1 --on-unknown skip\nerror: no answer .*\nhint: nothing listens at /,
    );
  });

  test('^C: 130, and the one line that goes on', async () => {
    const { run } = setUp();
    const controller = new AbortController();
    const { exitCode, stdout, stderr } = await run('pets.csv', {
      answers: ALL_MADE,
      signal: controller.signal,
      onSend(count) {
        if (count === 2) controller.abort(new Interruption(130));
      },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '2\t0\t0\t0\t1\n' });
    expect(stderr).toMatch(/^stopping: /m);
    expect(stderr).toMatch(/^go on with: petstore pets import pets\.csv --resume --concurrency 1\n$/m);
    expect(stderr).not.toContain('error:');
    expect(await run('pets.csv --resume', { answers: [made(3)] })).toMatchObject({
      exitCode: 0,
      stdout: '1\t2\t0\t0\t0\n',
    });
  });

  test('^C while all that is under way waits for the limit: over at once', async () => {
    const { run } = setUp();
    const controller = new AbortController();
    const { exitCode, stdout } = await run('pets.csv', {
      answers: [made(1), { status: 429, headers: { 'retry-after': '60' } }],
      signal: controller.signal,
      // In this world neither the wait nor the grace would ever end.
      onSend(count) {
        if (count === 2) setTimeout(() => controller.abort(new Interruption(130)), 20);
      },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '1\t0\t0\t0\t2\n' });
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
    // The draft of the file can't be made while this is in its way.
    mkdirSync(path('stdin.refused.csv.part'));
    const { exitCode, stderr } = await run('-', { stdin: ROWS, answers: [made(1), refused, made(3)] });
    expect(exitCode).toBe(1);
    const [, line] = /^hint: petstore pets import (.*)$/m.exec(stderr)!;
    rmdirSync(path('stdin.refused.csv.part'));
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
});
