import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Interruption, type Prompter } from '../../../../../src/cli/system/context.js';
import { ALL_MADE, lost, created, rejected, ROWS, setUp, summaryLines } from '../import-folder.js';

describe('an import that does not complete', () => {
  test('rejected rows: exit code 1, and a file to fix', async () => {
    const { run, path } = setUp();
    const { exitCode, stdout, stderr } = await run('pets.csv --json rejected,rejectedFile', {
      responses: [created(1), rejected, created(3)],
    });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: '{"rejected":1,"rejectedFile":"pets.rejected.csv"}\n',
    });
    expect(stderr).toContain('line 3: rejected: no such category (bad, HTTP 400)\n');
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1)!)).toMatchObject({
      error: {
        type: 'rejected',
        message: 'The service rejected 1 of 3 rows',
        hint: 'Fix these rows, then run: petstore pets import pets.rejected.csv --concurrency 1',
      },
    });
    expect(readFileSync(path('pets.rejected.csv'), 'utf8')).toMatch(
      /^name,categoryId,status,error\r\nMia,8,,/,
    );
    expect(await run('pets.rejected.csv', { responses: [created(2)] })).toMatchObject({ exitCode: 0 });
  });

  test('a lost response: 10, matching pets, and the commands to continue', async () => {
    const { run } = setUp();
    const { exitCode, stderr } = await run('pets.csv', {
      responses: [created(1), lost, { body: '[{"id":5,"name":"Mia","categoryId":8}]' }],
    });
    expect(exitCode).toBe(10);
    expect(stderr).toMatch(/^No response from https:\/\/pets\.test \(connection reset\); the request may /m);
    expect(stderr).toContain('line 3: unknown: Mia, category 8: matches pet 5\n');
    expect(stderr).toContain(
      'error: The outcome of 1 of 3 rows is unknown; the pet may or may not have been created\n' +
        'hint: To count rows as created whose pets are listed, run: petstore pets import pets.csv --resume ' +
        '--concurrency 1 --on-unknown accept-listed. To send only the other rows, run: petstore pets import ' +
        'pets.csv --resume --concurrency 1 --on-unknown skip\n',
    );
    // With the default action nothing is sent, and no cost is shown.
    const again = await run('pets.csv --resume', { responses: [{ body: '[]' }] });
    expect(again).toMatchObject({ exitCode: 10, requests: [{ method: 'GET' }] });
    expect(again.stderr).not.toMatch(/requests?\n/);
    const skipped = await run('pets.csv --resume --on-unknown skip', {
      responses: [created(3), { body: '[]' }],
    });
    expect(skipped).toMatchObject({ exitCode: 10, stdout: summaryLines(1, 1, 0, 1, 0) });
    const retried = await run('pets.csv --resume --on-unknown retry', {
      responses: [{ body: '[]' }, created(4, 8)],
    });
    expect(retried).toMatchObject({
      ...{ exitCode: 0, stdout: summaryLines(1, 2, 0, 0, 0) },
      stderr: expect.stringContaining('Sending 1 row again that resembles no listed pet.\n'),
    });
  });

  test.each<[string, string | undefined, boolean]>([
    ['', undefined, false],
    [' --yes', undefined, false],
    ['', 'none', false],
    [' --yes', 'all', true],
    ['', 'all', true],
  ])('retry with a list of 100 pets, and%s, chosen: %s', async (flags, answer, isSent) => {
    const { run } = setUp();
    await run('pets.csv --on-unknown skip', {
      responses: [created(1), lost, created(3), { body: '[]' }],
    });
    const pets = Array.from({ length: 100 }, (_, at) => ({ id: 500 + at, name: 'Tom', categoryId: 1 }));
    const lists = Array.from({ length: 4 }, () => ({ body: JSON.stringify(pets) }));
    const { exitCode, stderr, requests } = await run(`pets.csv --resume --on-unknown retry${flags}`, {
      responses: [...lists, ...(isSent ? [created(4, 8)] : [])],
      terminals: answer === undefined ? [] : ['stdin', 'stderr'],
      prompter: { choose: () => Promise.resolve(answer) } as unknown as Prompter,
    });
    expect(exitCode).toBe(isSent ? 0 : 10);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(isSent ? 1 : 0);
    expect(stderr.replaceAll(/\s+/g, ' ').includes('row again can create a duplicate')).toBe(true);
  });

  test('a redirect after a row: the row is unknown, and is not sent again', async () => {
    const { run } = setUp();
    const redirect = { status: 302, headers: { location: '/v1/pets/2' } };
    const first = await run('pets.csv', { responses: [created(1), redirect, { body: '[]' }] });
    expect(first).toMatchObject({ exitCode: 10, stdout: summaryLines(1, 0, 0, 1, 1) });
    const skipped = await run('pets.csv --resume --on-unknown skip', {
      responses: [created(3), { body: '[]' }],
    });
    expect(skipped).toMatchObject({ exitCode: 10, stdout: summaryLines(1, 1, 0, 1, 0) });
    expect(skipped.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('unfinished, without --resume: 2, with the resume command', async () => {
    const { run } = setUp();
    await run('pets.csv', { responses: [created(1), lost, { body: '[]' }] });
    expect(await run('pets.csv')).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr:
        'error: Journal pets.csv.journal has 1 row left and 1 of unknown outcome\n' +
        'hint: To resume, run: petstore pets import pets.csv --resume --concurrency 1\n',
    });
  });

  test('changed input: 2, with the first different line', async () => {
    const { run, path } = setUp();
    await run('pets.csv', { responses: [created(1), lost, { body: '[]' }] });
    writeFileSync(path('pets.csv'), ROWS.replace('Mia', 'Mimi'));
    expect(await run('pets.csv --resume')).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr: expect.stringMatching(
        /^error: pets\.csv has changed since the import started: line 3 differs\nhint: /,
      ),
    });
  });

  // The default of --max-wait is 75 s, as in every command.
  test.each(['76', '400'])('a wait of %s s: 6, with the time and the resume command', async (seconds) => {
    const { run } = setUp();
    const { exitCode, stderr } = await run('pets.csv --json stopped', {
      responses: [created(1), { status: 429, headers: { 'retry-after': seconds } }],
    });
    expect(exitCode).toBe(6);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
    const retryAt = expect.stringMatching(/^2026-01-02T03:/);
    expect(error).toMatchObject({ type: 'rate-limit', exitCode: 6, retryable: true, retryAt });
    expect(error.hint).toMatch(
      /^From \d\d:\d\d:\d\d on, run: petstore pets import pets\.csv --resume --concurrency 1$/,
    );
  });

  test.each([['pets.csv'], ['pets.csv --journal j']])(
    'a too long wait before the first row: the command of %s without --resume works',
    async (words) => {
      const { run } = setUp();
      const limited = { status: 429, headers: { 'retry-after': '400' } };
      const { stderr } = await run(`${words} --max-wait 10s`, { responses: [limited] });
      const command = /run: petstore pets import (.+)\n$/.exec(stderr)![1]!;
      expect(command).toBe(`${words} --concurrency 1 --max-wait 10s`);
      expect(await run(command.replace(' --concurrency 1', ''), { responses: ALL_MADE })).toMatchObject({
        exitCode: 0,
      });
    },
  );

  test.each([
    [401, 3, 'authentication'],
    [403, 5, 'api'],
    [429, 6, 'rate-limit'],
  ])('status %i: %i, and the facts of the response', async (status, exitCode, type) => {
    const { run } = setUp();
    const headers = { 'retry-after': '400', 'x-request-id': 'r-1' };
    const body = '{"code":"fault","message":"no"}';
    const outcome = await run('pets.csv --json stopped', { responses: [{ status, headers, body }] });
    const { error } = JSON.parse(outcome.stderr.trimEnd().split('\n').at(-1)!);
    expect(error).toMatchObject({ type, status, code: 'fault', requestId: 'r-1', exitCode });
    if (status !== 401) return;
    expect(error.hint).toMatch(
      /does not accept the key in PETSTORE_API_KEY\. Correct it, or unset it and run "petstore auth login"\.$/,
    );
  });

  test.each(['connection', 'status 503', 'redirect', 'rate limit'])(
    'unknown rows, then an outage (%s): 10, and both in one message',
    async (kind) => {
      const { run } = setUp({ 'pets.csv': `name,categoryId\n${'Rex,7\n'.repeat(15)}` });
      const scripted = {
        connection: lost,
        'status 503': { status: 503 },
        redirect: { status: 302, headers: { location: '/v1/pets/2' } },
        'rate limit': { status: 429, headers: { 'retry-after': '400' } },
      }[kind];
      const { exitCode, stderr } = await run('pets.csv --on-unknown skip --json unknown', {
        responses: [created(1, 7), lost, scripted!],
      });
      expect(exitCode).toBe(10);
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
      expect(error).toMatchObject({ type: 'unknown-outcome', exitCode: 10, retryable: false });
      expect(stderr).toMatch(
        /(?:\nTo resume, run|"From [\d:]+ on, run): petstore pets import pets\.csv --resume --concurrency 1 --on-unknown skip/,
      );
      expect(error.message).toMatch(/; the outcome of \d+ of 15 rows is unknown$/);
    },
  );

  test('^C: 130, and one resume command', async () => {
    const { run } = setUp();
    const controller = new AbortController();
    const { exitCode, stdout, stderr } = await run('pets.csv', {
      responses: ALL_MADE,
      signal: controller.signal,
      onSend(count) {
        if (count !== 2) return;
        const interruption = new Interruption(130);
        controller.abort(interruption);
        interruption.onRepeated?.();
      },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: summaryLines(2, 0, 0, 0, 1) });
    expect(stderr).toMatch(/^Stopping\. Waiting up to 5 s for responses\.$/m);
    expect(stderr).toMatch(
      /^Stopped at once\. 1 of 3 rows have a response; 1 may have been sent without one\. To resume, run: petstore /m,
    );
    expect(stderr).toMatch(/^To resume, run: petstore pets import pets\.csv --resume --concurrency 1\n$/m);
    expect(stderr).not.toContain('error:');
    expect(await run('pets.csv --resume', { responses: [created(3)] })).toMatchObject({
      exitCode: 0,
      stdout: summaryLines(1, 2, 0, 0, 0),
    });
  });

  test('^C while all rows wait for the rate limit ends at once', async () => {
    const { run } = setUp();
    const controller = new AbortController();
    const { exitCode, stdout } = await run('pets.csv', {
      responses: [created(1), { status: 429, headers: { 'retry-after': '60' } }],
      signal: controller.signal,
      // With this clock neither the wait nor the grace period ends.
      onSend(count) {
        if (count === 2) setTimeout(() => controller.abort(new Interruption(130)), 20);
      },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: summaryLines(1, 0, 0, 0, 2) });
  });
});
