import { isWatchFormat } from '../../../../src/cli/commands/pets/watch-output.js';
import { OUTPUT_FORMATS } from '../../../../src/cli/output/index.js';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/system/context.js';
import { runLine } from '../../../../src/cli/program/run-line.js';
import { ENV, fakeContext, runFake, type Scripted, type World } from '../../../support/fake-context.js';

const pet = (id: number, name = 'Rex') => `{"id":${String(id)},"name":"${name}","categoryId":7}`;
const list = (...pets: string[]): Scripted => ({ body: `[${pets.join()}]` });
const many = (count: number, from = 1) => list(...Array.from({ length: count }, (_, at) => pet(at + from)));

/** Watches until all responses are used, then presses ^C. */
async function watch(line: string, responses: readonly Scripted[], world: World = {}) {
  const controller = new AbortController();
  const outcome = await runFake(`pets list -w ${line}`, {
    ...world,
    // One more than there are: ^C comes during the poll after the last response.
    responses: [...responses, { body: '[]' }],
    signal: controller.signal,
    onSend(count) {
      if (count > responses.length) controller.abort(new Interruption(130));
    },
  });
  return { ...outcome, lines: outcome.stdout.trimEnd().split('\n') };
}

describe('events', () => {
  test('ndjson: the list, then changes only, and exit code 130 after ^C', async () => {
    const responses = [list(pet(1), pet(2)), list(pet(1), pet(2)), list(pet(2, 'Mia'), pet(3))];
    const { exitCode, lines, stderr } = await watch('-o ndjson --interval 1s', responses);
    expect(exitCode).toBe(130);
    expect(lines).toEqual([
      `{"event":"added","initial":true,"pet":${pet(1)}}`,
      `{"event":"added","initial":true,"pet":${pet(2)}}`,
      `{"event":"removed","pet":${pet(1)}}`,
      `{"event":"changed","pet":${pet(2, 'Mia')},"previous":${pet(2)}}`,
      `{"event":"added","pet":${pet(3)}}`,
    ]);
    expect(stderr).toBe('Watching 2 pets, polling every 1 s. Press ^C to stop.\n');
  });

  test('ndjson escapes hidden characters with PETSTORE_FORCE_TTY', async () => {
    const env = { ...ENV, PETSTORE_FORCE_TTY: '80' };
    const { lines } = await watch('-o ndjson --interval 1s', [list(pet(1, 'a\u202eb'))], { env });
    expect(lines[0]).toContain('a\\u202eb');
  });

  test('^C ends the line on a terminal', async () => {
    const { stderr } = await watch('-o ndjson --interval 1s', [list()], { terminals: ['stderr'] });
    expect(stderr).toMatch(/\n\n$/);
  });

  test('several statuses: one request each in every poll', async () => {
    const polls = [list(pet(2)), list(pet(1)), list(pet(2)), list(pet(3))];
    const { lines, requests } = await watch('-o tsv --interval 1s -s sold,pending --name rex', polls);
    expect(lines).toEqual([
      'added\t1\tRex\t7\t',
      'added\t2\tRex\t7\t',
      'removed\t1\tRex\t7\t',
      'added\t3\tRex\t7',
    ]);
    expect(requests.map(({ path }) => path.split('=')[1])).toEqual([
      'sold',
      'pending',
      'sold',
      'pending',
      'sold',
    ]);
  });

  test('a terminal: a changed categoryId is a changed category', async () => {
    const moved = { body: '[{"id":1,"name":"Rex","categoryId":8}]' };
    const { lines } = await watch('--interval 1s', [list(pet(1)), moved], { terminals: ['stdout'] });
    expect(lines.at(-1)).toMatch(/ 1 Rex: category 7 -> 8$/);
  });

  test('a terminal: a table, then one line per change', async () => {
    const { lines } = await watch(
      '--interval 1s',
      [list(pet(1)), list(pet(1, '\\u001b[2J'), pet(2)), list(pet(2))],
      { terminals: ['stdout'] },
    );
    expect(lines.map((line) => line.replace(/\u001b\[\d+m/g, '').replace(/^\d\d:\d\d:\d\d/, 'TIME'))).toEqual(
      [
        'ID  NAME  CATEGORY  STATUS',
        ' 1  Rex          7  -',
        'TIME changed 1 ^[[2J: name Rex -> ^[[2J',
        'TIME added   2 Rex, category 7, status -',
        'TIME removed 1 ^[[2J, category 7, status -',
      ],
    );
  });

  test.each([
    ['-o csv', 'event,id,name,categoryId,status\r\nadded,1,Rex,7,\r\nremoved,1,Rex,7,\r\nadded,2,Rex,7,\r\n'],
    ['', 'added\t1\tRex\t7\t\nremoved\t1\tRex\t7\t\nadded\t2\tRex\t7\t\n'],
  ])('%s: the event in the first column, one header', async (format, stdout) => {
    const responses = [list(pet(1)), list(pet(2))];
    expect(await watch(`${format} --interval 1s`, responses)).toMatchObject({ stdout });
  });
});

describe('requests', () => {
  test('are the same in each poll', async () => {
    const { requests } = await watch('--status sold --limit 3 --interval 1s', [list(), list()]);
    expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/pets?limit=3&status=sold'));
  });

  test('--all: all requests in each poll', async () => {
    const { requests } = await watch('--all --interval 1s', [many(100), list(), list(), list(), list()]);
    expect(requests.map(({ path }) => path)).toEqual([
      '/v1/pets?limit=100',
      ...['available', 'pending', 'sold'].map((status) => `/v1/pets?limit=100&status=${status}`),
      '/v1/pets?limit=100',
      '/v1/pets?limit=100',
    ]);
  });
});

test('a truncated list: no removed pets, and one warning', async () => {
  const responses = [many(20), many(20, 2), many(19, 3), many(19, 4)];
  const { lines, stderr } = await watch('-o ndjson --interval 1s', responses);
  expect(lines.slice(20).map((line) => JSON.parse(line))).toMatchObject([
    // The 21st: the list before was truncated.
    { event: 'added', certain: false, pet: { id: 21 } },
    { event: 'removed', pet: { id: 1 } },
    { event: 'removed', pet: { id: 2 } },
    { event: 'removed', pet: { id: 3 } },
    { event: 'added', pet: { id: 22 } },
  ]);
  expect(stderr.match(/^warning: The list is truncated at 20 pets\./gm)).toHaveLength(1);
});

describe('a poll that fails', () => {
  const down: Scripted = { status: 503 };
  // Each poll is four attempts.
  const outage = (polls: number): Scripted[] => Array(4 * polls).fill(down);

  test('is reported once and retried, and its end is reported', async () => {
    const { exitCode, lines, stderr } = await watch('-o ndjson --interval 1s', [
      list(pet(1)),
      ...outage(3),
      list(pet(1), pet(2)),
    ]);
    expect({ exitCode, events: lines.length }).toEqual({ exitCode: 130, events: 2 });
    expect(stderr.match(/^warning: .*\. Retrying in 1 s\.$/gm)).toHaveLength(1);
    expect(stderr.match(/^warning: .*Retrying/gm)).toHaveLength(1);
    expect(stderr.match(/^The service responds again\.$/gm)).toHaveLength(1);
  });

  test('is retried with growing delays', async () => {
    const controller = new AbortController();
    const times: number[] = [];
    const fake = fakeContext({
      responses: [list(), ...outage(3), list()],
      signal: controller.signal,
      onSend(count) {
        times.push(fake.context.clock.now());
        if (count === 14) controller.abort(new Interruption(130));
      },
    });
    await runLine('pets list --watch --interval 1s'.split(' '), fake.context);
    const between = [0, 4, 8, 12].map((last) => times[last + 1]! - times[last]!);
    expect(between).toEqual([1_000, 1_000, 2_000, 4_000]);
  });

  test.each([
    ['a lost connection', new Error('connection reset')],
    ['a response that is not JSON', { body: '<html>' }],
  ])('%s does not end the watch', async (_, failure) => {
    const responses = [list(pet(1)), ...Array<Scripted>(4).fill(failure), list(pet(1))];
    expect((await watch('--interval 1s', responses)).exitCode).toBe(130);
  });

  test.each([
    ['a rejected key', '', [list(), { status: 401 }], 3],
    ['a failure of the first poll', '', outage(1), 7],
    ['--no-retry', '--no-retry', [list(), down], 7],
    [
      '--max-wait is shorter than the wait',
      '--max-wait 5s',
      [list(), { status: 429, headers: { 'retry-after': '20' } }],
      6,
    ],
  ] as const)('%s ends the watch', async (_, flags, responses, exitCode) => {
    const outcome = await watch(`--interval 1s ${flags}`, responses);
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining('error: ') });
    expect(outcome.requests).toHaveLength(responses.length);
  });

  test('waits for a long rate limit without --max-wait', async () => {
    const limited: Scripted = { status: 429, headers: { 'retry-after': '100' } };
    const controller = new AbortController();
    const { exitCode, stderr } = await runFake('pets list --watch --interval 1s', {
      responses: [list(), limited],
      signal: controller.signal,
      onNote(text) {
        if (text.includes('Retrying')) controller.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/Retrying in 1 min 4\d s/);
  });
});

test('formats that can be written in parts', () => {
  expect(OUTPUT_FORMATS.filter(isWatchFormat)).toEqual(['table', 'ndjson', 'csv', 'tsv']);
});
