import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Interruption, type Prompter } from '../../../../../src/cli/system/context.js';
import { ALL_MADE, created, lost, setUp, summaryLines } from '../import-folder.js';

describe('an import that does not complete', () => {
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

  test('a damaged journal: 2, also with --dry-run', async () => {
    const { run, path } = setUp();
    await run('pets.csv', { responses: [created(1), lost, { body: '[]' }] });
    const journal = readFileSync(path('pets.csv.journal'), 'utf8');
    writeFileSync(path('pets.csv.journal'), journal.replace('=1:', '=2:'));
    for (const flags of ['', ' --dry-run'])
      expect(await run(`pets.csv --resume${flags}`)).toMatchObject({
        exitCode: 2,
        stdout: '',
        requests: [],
        stderr: expect.stringMatching(/^error: Journal pets\.csv\.journal is damaged in line \d+\nhint: /),
      });
  });

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
    // With this clock neither the wait nor the grace period ends.
    const { exitCode, stdout } = await run('pets.csv', {
      responses: [created(1), { status: 429, headers: { 'retry-after': '60' } }],
      interruptAt: 2,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: summaryLines(1, 0, 0, 0, 2) });
  });
});
