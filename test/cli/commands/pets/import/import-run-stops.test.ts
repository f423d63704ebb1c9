import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../../src/cli/system/context.js';
import { ALL_MADE, lost, made, refused, ROWS, setUp } from '../import-folder.js';

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
});
