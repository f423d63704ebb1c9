import { expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/system/context.js';
import { runLine } from '../../../../src/cli/program/run-line.js';
import { fakeContext, runFake, type World } from '../../../support/fake-context.js';

const CLEAR = '\r\u001b[K';
const NAME = 'missing.example.test';

/** A world in which somebody stops the wait once the first change has been told. */
function stoppedWith(exitCode: 0 | 130 | 143, pattern = /Next check/): World {
  const stopping = new AbortController();
  return {
    signal: stopping.signal,
    onNote: (text) => {
      if (pattern.test(text)) stopping.abort(new Interruption(exitCode));
    },
  };
}

const eventsOf = (stdout: string): unknown[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A stream of events that is stopped once as many have come as are waited for. */
async function stoppedStream(exitCode: 0 | 130 | 143, names: string, eventCount: number) {
  const stopping = new AbortController();
  const { context, stdout } = fakeContext({ signal: stopping.signal });
  const write = (text: string): void => {
    context.stdout.write(text);
    if (eventsOf(stdout()).length === eventCount) stopping.abort(new Interruption(exitCode));
  };
  const line = `--mock domain verify ${names} --wait -o ndjson`.split(' ');
  const ended = await runLine(line, { ...context, stdout: { ...context.stdout, write } });
  return { exitCode: ended, stdout: stdout() };
}

test.each([
  ['^C', 130],
  ['SIGTERM', 143],
] as const)('%s prints an end event for each remaining domain', async (_, exitCode) => {
  const outcome = await stoppedStream(exitCode, `shop.example.test ${NAME} wrong.example.test`, 4);
  expect(outcome.exitCode).toBe(exitCode);
  const ends = eventsOf(outcome.stdout).filter((event) => (event as { event: string }).event === 'end');
  expect(ends).toEqual([
    expect.objectContaining({ end: 'reached', exitCode: 0 }),
    ...[NAME, 'wrong.example.test'].map((ascii) => ({
      event: 'end',
      end: 'interrupted',
      timedOut: false,
      exitCode,
      report: expect.objectContaining({ domain: expect.objectContaining({ ascii }) }),
    })),
  ]);
});

test('names a domain without a report', async () => {
  const stopping = new AbortController();
  const running = runFake(`--mock domain verify ${NAME} --wait -o ndjson`, { signal: stopping.signal });
  setImmediate(() => {
    stopping.abort(new Interruption(130));
  });
  const { stdout } = await running;
  const [event] = eventsOf(stdout);
  expect(event).toEqual({
    event: 'end',
    end: 'interrupted',
    timedOut: false,
    exitCode: 130,
    domain: NAME,
    report: null,
  });
});

test('prints nothing to a closed pipe', async () => {
  const { exitCode, stdout } = await stoppedStream(0, NAME, 1);
  expect(exitCode).toBe(0);
  expect(eventsOf(stdout)).toEqual([expect.objectContaining({ event: 'changed' })]);
});

test('shows a progress line on a terminal, below all other output', async () => {
  const world = stoppedWith(130);
  const { stderr } = await runFake(`--mock domain verify ${NAME} --wait`, {
    ...world,
    terminals: ['stderr'],
    columns: 300,
  });
  const parts = stderr.split(CLEAR);
  expect(parts[1]).toMatch(/^Querying the name servers {2}gives up at \d\d:\d\d {2}\^C stops$/);
  // Each text that stays begins where a line was taken off.
  for (const line of stderr.split('\n').slice(0, -1)) {
    const kept = line.split(CLEAR).at(-1);
    expect(kept).toMatch(/Next check in \d+ s\.$|^Interrupted\. Last state of |^To resume, run: /);
  }
  expect(stderr.endsWith('--wait\n')).toBe(true);
});

test('shows no progress line in a pipe', async () => {
  const { stderr } = await runFake(`--mock domain verify ${NAME} --wait`, stoppedWith(130));
  expect(stderr).not.toContain(CLEAR);
  expect(stderr).not.toContain('waiting for');
});
