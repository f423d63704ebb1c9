import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../../../src/cli/system/context.js';
import { run } from '../../../../../src/cli/program/program.js';
import { fakeContext, runFake, type Scripted, type World } from '../../../../support/fake-context.js';

const pet = (id: number, name = 'Rex') => `{"id":${String(id)},"name":"${name}","categoryId":7}`;
const list = (...pets: string[]): Scripted => ({ body: `[${pets.join()}]` });
const many = (count: number, from = 1) => list(...Array.from({ length: count }, (_, at) => pet(at + from)));

/** Watches through all the answers, then presses ^C. */
async function watch(line: string, answers: readonly Scripted[], world: World = {}) {
  const controller = new AbortController();
  const outcome = await runFake(`pets list --watch ${line}`, {
    ...world,
    // One more than there are: the look after the last one is what ^C meets.
    answers: [...answers, { body: '[]' }],
    signal: controller.signal,
    onSend(count) {
      if (count > answers.length) controller.abort(new Interruption(130));
    },
  });
  return { ...outcome, lines: outcome.stdout.trimEnd().split('\n') };
}

describe('events', () => {
  test('ndjson: the list, then changes only, and ^C ends with 130', async () => {
    const answers = [list(pet(1), pet(2)), list(pet(1), pet(2)), list(pet(2, 'Mia'), pet(3))];
    const { exitCode, lines, stderr } = await watch('-o ndjson --interval 1s', answers);
    expect(exitCode).toBe(130);
    expect(lines).toEqual([
      `{"event":"added","initial":true,"pet":${pet(1)}}`,
      `{"event":"added","initial":true,"pet":${pet(2)}}`,
      `{"event":"removed","pet":${pet(1)}}`,
      `{"event":"changed","pet":${pet(2, 'Mia')},"previous":${pet(2)}}`,
      `{"event":"added","pet":${pet(3)}}`,
    ]);
    expect(stderr).toBe('watching 2 animals, a look every 1 s; ^C stops\n');
  });

  test('^C ends its line at a terminal, for the prompt that follows', async () => {
    const { stderr } = await watch('-o ndjson --interval 1s', [list()], { terminals: ['stderr'] });
    expect(stderr).toMatch(/\n\n$/);
  });

  test('a terminal: a table, then a line a change', async () => {
    const { lines } = await watch(
      '--interval 1s',
      [list(pet(1)), list(pet(1, '\\u001b[2J'), pet(2)), list(pet(2))],
      { terminals: ['stdout'] },
    );
    expect(lines.map((line) => line.replace(/\u001b\[\d+m/g, '').replace(/^\d\d:\d\d:\d\d/, 'TIME'))).toEqual(
      [
        'ID  NAME  CATEGORY  STATUS',
        ' 1  Rex          7',
        'TIME changed 1 ^[[2J: name Rex -> ^[[2J',
        'TIME added   2 Rex, category 7, status (none)',
        'TIME removed 1 ^[[2J, category 7, status (none)',
      ],
    );
  });

  test.each([
    ['-o csv', 'event,id,name,categoryId,status\r\nadded,1,Rex,7,\r\nremoved,1,Rex,7,\r\nadded,2,Rex,7,\r\n'],
    ['', 'added\t1\tRex\t7\t\nremoved\t1\tRex\t7\t\nadded\t2\tRex\t7\t\n'],
  ])('%s: the event in front, one header', async (format, stdout) => {
    const answers = [list(pet(1)), list(pet(2))];
    expect(await watch(`${format} --interval 1s`, answers)).toMatchObject({ stdout });
  });
});

describe('what is asked', () => {
  test('is the same each time', async () => {
    const { requests } = await watch('--status sold --limit 3 --interval 1s', [list(), list()]);
    expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/pets?limit=3&status=sold'));
  });

  test('--all: everything, each time', async () => {
    const { requests } = await watch('--all --interval 1s', [many(100), list(), list(), list(), list()]);
    expect(requests.map(({ path }) => path)).toEqual([
      '/v1/pets?limit=100',
      ...['available', 'pending', 'sold'].map((status) => `/v1/pets?limit=100&status=${status}`),
      '/v1/pets?limit=100',
      '/v1/pets?limit=100',
    ]);
  });
});

test('a list that is cut: nothing is removed, and that is said once', async () => {
  const answers = [many(20), many(20, 2), many(19, 3), many(19, 4)];
  const { lines, stderr } = await watch('-o ndjson --interval 1s', answers);
  expect(lines.slice(20).map((line) => JSON.parse(line))).toMatchObject([
    // The 21st: the list before was cut.
    { event: 'added', certain: false, pet: { id: 21 } },
    { event: 'removed', pet: { id: 1 } },
    { event: 'removed', pet: { id: 2 } },
    { event: 'removed', pet: { id: 3 } },
    { event: 'added', pet: { id: 22 } },
  ]);
  expect(stderr.match(/^warning: the list is cut at 20 animals/gm)).toHaveLength(1);
});

describe('a look that fails', () => {
  const down: Scripted = { status: 503 };
  // Each look is four attempts.
  const outage = (looks: number): Scripted[] => Array(4 * looks).fill(down);

  test('is told once, tried again, and so is its end', async () => {
    const { exitCode, lines, stderr } = await watch('-o ndjson --interval 1s', [
      list(pet(1)),
      ...outage(3),
      list(pet(1), pet(2)),
    ]);
    expect({ exitCode, events: lines.length }).toEqual({ exitCode: 130, events: 2 });
    expect(stderr.match(/^warning: .*; looking again in 1 s, and so on$/gm)).toHaveLength(1);
    expect(stderr.match(/looking again/g)).toHaveLength(1);
    expect(stderr.match(/^the service answers again$/gm)).toHaveLength(1);
  });

  test('is repeated later each time', async () => {
    const controller = new AbortController();
    const times: number[] = [];
    const fake = fakeContext({
      answers: [list(), ...outage(3), list()],
      signal: controller.signal,
      onSend(count) {
        times.push(fake.context.clock.now());
        if (count === 14) controller.abort(new Interruption(130));
      },
    });
    await run('pets list --watch --interval 1s'.split(' '), fake.context);
    const between = [0, 4, 8, 12].map((last) => times[last + 1]! - times[last]!);
    expect(between).toEqual([1_000, 1_000, 2_000, 4_000]);
  });

  test.each([
    ['a lost connection', new Error('connection reset')],
    ['an answer that is no JSON', { body: '<html>' }],
  ])('%s is no end either', async (_, failure) => {
    const answers = [list(pet(1)), ...Array<Scripted>(4).fill(failure), list(pet(1))];
    expect((await watch('--interval 1s', answers)).exitCode).toBe(130);
  });

  test.each([
    ['the key is refused', '', [list(), { status: 401 }], 3],
    ['the first look of all', '', outage(1), 7],
    ['--no-retry', '--no-retry', [list(), down], 7],
    [
      '--max-wait is shorter than the wait',
      '--max-wait 5s',
      [list(), { status: 429, headers: { 'retry-after': '20' } }],
      6,
    ],
  ] as const)('%s: the end', async (_, flags, answers, exitCode) => {
    const outcome = await watch(`--interval 1s ${flags}`, answers);
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining('error: ') });
    expect(outcome.requests).toHaveLength(answers.length);
  });

  test('a limit that is used up for long is waited for, where nobody said how long', async () => {
    const limited: Scripted = { status: 429, headers: { 'retry-after': '100' } };
    const controller = new AbortController();
    const { exitCode, stderr } = await runFake('pets list --watch --interval 1s', {
      answers: [list(), limited],
      signal: controller.signal,
      onNote(text) {
        if (text.includes('looking again')) controller.abort(new Interruption(130));
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/looking again in 1 min 4\d s/);
  });
});

describe('refused before anything is sent', () => {
  test.each([
    ['-o json', "--watch tells changes as they come, which -o json can't"],
    ['--json', "--watch tells changes as they come, which -o json can't"],
    ['-o yaml', "--watch tells changes as they come, which -o yaml can't"],
    ['-o ids', "--watch tells changes as they come, which -o ids can't"],
    ['-o ndjson --query [].id', '--query and --watch contradict each other'],
    ['--sort name', '--sort and --watch contradict each other'],
    ['--fields id', '--fields and --watch contradict each other'],
    ['--interval 999ms', '--interval: "999ms" is not from 1s to 24h'],
    ['--interval 25h', '--interval: "25h" is not from 1s to 24h'],
    ['--interval soon', '--interval: "soon" is not a length of time'],
  ])('%s', async (flags, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(`pets list --watch ${flags}`);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(message);
  });

  test('--interval without --watch', async () => {
    expect(await runFake('pets list --interval 5s')).toMatchObject({ exitCode: 2, requests: [] });
  });
});

test('--dry-run shows the request of one look', async () => {
  const { exitCode, stdout, requests } = await runFake('pets list --watch --dry-run');
  expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
  expect(stdout).toMatch(/^GET https:\/\/pets\.test\/v1\/pets\n/);
});
