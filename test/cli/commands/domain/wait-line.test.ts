import { expect, test } from 'vitest';
import { createWaitLine } from '../../../../src/cli/commands/domain/wait-line.js';
import type { Report } from '../../../../src/domain/index.js';
import { CLEAR, statusScreen } from '../../../support/status-screen.js';
import { NOON } from '../../../support/virtual-clock.js';
import { buildFinding, buildReport } from './report-builder.js';

const domain = { input: 'a.example', ascii: 'a.example', unicode: 'a.example' };
const dateAt = (seconds: number): Date => new Date(NOON + seconds * 1_000);
/** What the wall clock of whoever runs the tests shows so many seconds after the beginning. */
const wall = (seconds: number): string => {
  const date = new Date(NOON + seconds * 1_000);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
};
const estimate = (seconds: number): Report['estimate'] => ({
  latest: dateAt(seconds),
  inSeconds: seconds,
  perResolver: [],
});

function setUp({ count = 1, columns = 120, isTTY = true, quiet = false } = {}) {
  const { status, clock, take } = statusScreen({ isTTY, columns, quiet });
  const line = createWaitLine(status, clock, { count, endsAt: NOON + 1_800_000 });
  const request = (name: string) => ({ domain: name, target: 't.example' });
  let last = '';
  const shown = (): string => (last = take().at(-1) ?? last).replace(CLEAR, '');
  const pause = (report: Partial<Report>, seconds: number, asked = request('a.example')): void => {
    line.onPause({
      request: asked,
      report: buildReport({ domain, ...report }),
      nextCheckAt: dateAt(seconds),
    });
  };
  return { line, clock, take, shown, pause, request };
}

test('is shown from the first query', () => {
  expect(setUp().shown()).toBe(`Querying the name servers  gives up at ${wall(1_800)}  ^C stops`);
  expect(setUp({ count: 3 }).shown()).toMatch(/^Checking 3 domains {2}/);
});

test.each<[string, Partial<Report>, string]>([
  ['a record to edit', { state: 'action-required' }, 'Waiting for the record  a.example  next check in 12 s'],
  ['silence', { state: 'inconclusive' }, 'Waiting for a response  a.example  next check in 12 s'],
  [
    'resolvers',
    { state: 'propagating', estimate: estimate(845) },
    `Waiting for resolver caches to expire  a.example  next check in 12 s  visible by ${wall(900)} at the latest`,
  ],
  [
    'a resolver without a latest time',
    {
      state: 'propagating',
      estimate: null,
      findings: [buildFinding({ id: 'prop.stale-positive', axis: 'propagation', severity: 'wait' })],
    },
    'Waiting for resolver caches to expire  a.example  next check in 12 s',
  ],
  [
    'a secondary',
    { state: 'propagating', estimate: null },
    'Waiting for a name server to update  a.example  next check in 12 s',
  ],
  [
    'the certificate',
    { state: 'verified', verifiedAt: dateAt(-300) },
    `Waiting for the certificate  a.example  next check in 12 s  overdue at ${wall(1_500)}`,
  ],
  [
    'a certificate that is late',
    { state: 'verified', verifiedAt: dateAt(-1_801) },
    'Waiting for the certificate  a.example  next check in 12 s  overdue',
  ],
])('shows the obstacle: %s', async (_, report, text) => {
  const { clock, shown, pause } = setUp({ columns: 160 });
  pause(report, 12.1);
  await clock.advance(100);
  expect(shown()).toBe(`${text}  gives up at ${wall(1_800)}  ^C stops`);
});

test('counts down to the next check', async () => {
  const { clock, shown, pause } = setUp();
  pause({ state: 'action-required' }, 3);
  await clock.advance(1_100);
  expect(shown()).toContain('next check in 2 s');
  await clock.advance(2_000);
  expect(shown()).toContain('  checking  ');
});

test('several domains: shows the remaining number, the next check and the latest time', async () => {
  const { line, clock, shown, pause, request } = setUp({ count: 2, columns: 160 });
  const [one, other] = [request('a.example'), request('b.example')];
  pause({ state: 'propagating', estimate: estimate(845) }, 60, one);
  await clock.advance(100);
  expect(shown()).not.toContain('at the latest');
  pause({ state: 'propagating', estimate: estimate(1_200) }, 30.2, other);
  await clock.advance(100);
  expect(shown()).toMatch(/^Waiting for 2 domains {2}next check in 30 s {2}/);
  expect(shown()).toContain(`visible by ${wall(1_200)} at the latest`);
  line.onEnd(other);
  await clock.advance(100);
  expect(shown()).toMatch(/^Waiting for resolver caches to expire {2}a\.example {2}next check in 1 min/);
  line.onEnd(one);
  expect(shown()).toBe('');
  expect(clock.pending).toBe(0);
});

test.each([20, 40, 60, 80, 100])('stays below %i columns', async (columns) => {
  const { clock, take, pause } = setUp({ columns });
  pause({ state: 'propagating', estimate: estimate(845) }, 300);
  await clock.advance(3_000);
  const written = take();
  for (const text of written) expect(text.replace(CLEAR, '').length).toBeLessThan(columns);
  expect(written.at(-1)).toContain('next check in');
});
