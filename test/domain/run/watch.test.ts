import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CheckRequest } from '../../../src/domain/request/options.js';
import type { Probe } from '../../../src/domain/probe/probe-request.js';
import {
  watch,
  type WatchEnd,
  type WatchEvent,
  type WatchOptions,
  type WatchPause,
  openWatchShare,
} from '../../../src/domain/run/watch.js';
import { watchDomain } from '../../../src/domain/run/watch-domains.js';
import { createVirtualClock, settle, type VirtualClock } from '../../support/virtual-clock.js';
import { fakeDns, type FakeDns, type World } from '../fake-dns.js';
import { webProbe } from '../served-web.js';
import { stubProbe } from '../stub-probe.js';
import { NS1, NS2, RESOLVER, TARGET, counter, resolverQueries, worldOf } from '../world.js';

const SHOP = 'shop.example.test';
const MISSING = worldOf([]);
const RIGHT = worldOf([`shop CNAME ${TARGET}.`]);

interface Watched {
  /** `SECONDS KIND STATE`. */
  events: string[];
  end: WatchEnd;
  dns: FakeDns;
  clock: VirtualClock;
}

/** Watches to the end. Time advances only when nothing else happens. `edits` change the world after so many seconds. */
async function watched(
  request: Partial<CheckRequest>,
  world: World,
  { probe, ...options }: WatchOptions & { clock?: VirtualClock; probe?: Probe } = {},
  edits: Readonly<Record<number, World>> = {},
): Promise<Watched> {
  const clock = options.clock ?? createVirtualClock();
  const start = clock.now();
  const now = clock.monotonic;
  const dns = fakeDns({ now, ...world });
  for (const [seconds, next] of Object.entries(edits)) {
    clock.setTimeout(() => (dns.world = { now, ...next }), Number(seconds) * 1_000);
  }
  const events: string[] = [];
  const whole = {
    domain: SHOP,
    target: TARGET,
    plan: 'Pro',
    deployed: true,
    ...(probe && { probe: {} }),
    ...request,
  };
  const all = { dns, clock, random: () => 0.5, resolvers: [RESOLVER], ...options };
  const share = openWatchShare(all);
  const watching = watch(whole, all, probe === undefined ? share : { ...share, probe });
  const log = ({ kind, report }: WatchEvent): number =>
    events.push(`${String((clock.now() - start) / 1_000)} ${kind} ${report.state}`);
  let end: WatchEnd | undefined;
  const drain = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await watching.next();
      if (done === true) {
        end = value;
        return;
      }
      log(value);
    }
  };
  const draining = drain().finally(() => (over = true));
  draining.catch(() => undefined);
  let over = false;
  for (;;) {
    const queryCount = dns.queries.length;
    for (let turns = 0; turns < 3; turns += 1) await settle();
    if (over) break;
    if (dns.queries.length === queryCount && clock.pending > 0) await clock.next();
  }
  await draining;
  if (end === undefined) throw new Error('the watch did not end');
  return { events, end, dns, clock };
}

describe('a watch', () => {
  test('ends at once if the goal is reached', async () => {
    const { events, end } = await watched({}, RIGHT);
    expect(events).toEqual(['0 changed verified']);
    expect(end).toMatchObject({ end: 'reached', report: { state: 'verified' } });
  });

  test('checks less and less often while the record is missing, and reports only changes', async () => {
    const { events, end } = await watched({}, MISSING, {}, { 100: RIGHT });
    // Checks at 0, 5, 15, 35, 65, 95 and 125 s.
    expect(events).toEqual(['0 changed action-required', '125 changed verified']);
    expect(end.end).toBe('reached');
  });

  test('queries no resolver meanwhile', async () => {
    const { dns } = await watched({}, MISSING, { timeoutMs: 200_000 });
    expect(resolverQueries(dns, SHOP)).toEqual([]);
    expect(dns.queries.filter((line) => line.startsWith('+rd') && line.endsWith(' NS test'))).toHaveLength(1);
    expect(dns.queries.filter((line) => line === `${NS1} CNAME ${SHOP}`).length).toBeGreaterThan(5);
  });

  test('sleeps until the resolver’s cache expires', async () => {
    const cached = { [`A ${SHOP}`]: ['@ 120 A 192.0.2.99'] };
    const stale = { ...RIGHT, cached };
    const { events } = await watched({}, stale, {}, { 120: RIGHT });
    // The TTL of a stale record is read twice.
    expect(events).toEqual(['1.1 changed propagating', '122.1 changed verified']);
  });

  test('expects no time of a resolver that had an old record for longer than it showed', async () => {
    const cachedFor = (ttl: number): World => ({
      ...RIGHT,
      cached: { [`A ${SHOP}`]: [`@ ${String(ttl)} A 192.0.2.99`] },
    });
    const messages: string[] = [];
    const onPause = ({ report }: WatchPause): void => {
      messages.push(...report.findings.map(({ message }) => message));
    };
    const edits = { 30: cachedFor(100), 90: RIGHT };
    const { events } = await watched({}, cachedFor(60), { onPause }, edits);
    expect(events.at(-1)).toMatch(/ changed verified$/);
    const stale = messages.filter((message) => message.includes('caches the old record'));
    expect(stale[0]).toMatch(/, for 1 min at most \(until /);
    expect(stale[1]).toMatch(/, for 38 s at least\.$/);
  });

  test('ends at the time-out, with the last report', async () => {
    const { events, end, clock } = await watched({}, MISSING, { timeoutMs: 60_000 });
    expect(events).toEqual(['0 changed action-required']);
    expect(end).toMatchObject({ end: 'timeout', report: { state: 'action-required' } });
    expect(clock.monotonic()).toBe(60_000);
  });

  test.each([
    ['the name is none', { domain: 'a b' }],
    ['the plan is too small', { plan: { name: 'Free', paid: false, inferred: false } }],
    ['nothing is deployed', { deployed: false }],
  ])('ends at once with %s', async (_, request) => {
    const { events, end } = await watched(request, MISSING);
    expect(events).toHaveLength(1);
    expect(end.end).toBe('blocked');
  });

  test('does not report reordered records as a change', async () => {
    const [one, other] = ['shop A 192.0.2.98', 'shop A 192.0.2.99'];
    const { events } = await watched(
      {},
      worldOf([one, other]),
      { timeoutMs: 60_000 },
      { 4: worldOf([other, one]), 20: worldOf([other]) },
    );
    expect(events).toEqual(['0 changed action-required', '35 changed action-required']);
  });

  test('probes redirects only once the record is right', async () => {
    const seen: string[] = [];
    const probe = stubProbe('active', ({ redirects = [] }) => {
      seen.push(...redirects.map(({ from }) => from));
      return { redirects: [] };
    });
    const redirects = [{ from: 'old.example.test', to: SHOP, status: 301 }];
    await watched({ redirects }, worldOf(['shop A 192.0.2.99']), { probe, timeoutMs: 90_000 }, { 30: RIGHT });
    expect(seen).toEqual(['old.example.test']);
  });

  test('checks redirect entries as data from the start', async () => {
    const redirects = [
      { from: 'old.example.test', to: SHOP, status: 301 },
      { from: SHOP, to: 'old.example.test', status: 301 },
    ];
    const { end } = await watched({ redirects }, MISSING, { timeoutMs: 30_000 });
    expect(end.report.findings.filter(({ axis }) => axis === 'redirect').map(({ id }) => id)).toEqual([
      'redirect.loop',
    ]);
    expect(end.report).not.toHaveProperty('redirects');
  });

  test('notices a zone that moves', async () => {
    const moved: World = {
      ...RIGHT,
      faults: { [NS1]: 'REFUSED', [NS2]: 'REFUSED' },
      zones: {
        ...RIGHT.zones,
        test: (RIGHT.zones.test ?? []).map((line) =>
          line.replace(NS1, '192.0.2.61').replace(NS2, '192.0.2.62'),
        ),
      },
      servers: { ...RIGHT.servers, '192.0.2.61': ['example.test'], '192.0.2.62': ['example.test'] },
    };
    const { events } = await watched({}, MISSING, {}, { 10: moved });
    expect(events.at(-1)).toMatch(/ changed verified$/);
  });

  test('waits for the certificate, and reports reverify after 30 minutes', async () => {
    const subjects: (number | undefined)[] = [];
    const probe = stubProbe('pending', ({ certificate }) => {
      subjects.push(certificate?.verifiedAt?.getTime());
      return undefined;
    });
    const { events, end } = await watched({}, RIGHT, { until: 'active', timeoutMs: 40 * 60_000, probe });
    expect(events).toEqual(['0 changed verified', '1800 reverify verified']);
    expect(end.end).toBe('timeout');
    // Every 5 s for 2 minutes, 15 s up to 10, 30 s up to 30, then every minute.
    expect(subjects).toHaveLength(24 + 32 + 40 + 10);
    expect(new Set(subjects).size).toBe(1);
  });

  test('reports reverify only once no CAA record forbids the certificate', async () => {
    const closed = webProbe(() => ({ certificate: { kind: 'refused', detail: 'connection refused' } }));
    const clock = createVirtualClock();
    const { events } = await watched(
      { issuer: 'letsencrypt.org', verifiedAt: new Date(clock.now() - 3_600_000) },
      worldOf([`shop CNAME ${TARGET}.`, '@ CAA 0 issue "other.test"']),
      { until: 'active', timeoutMs: 120_000, probe: closed, clock },
      { 50: RIGHT },
    );
    expect(events).toEqual(['0 changed action-required', '65 reverify action-required']);
  });

  test.each([
    ['forward', 86_400_000],
    ['back', -86_400_000],
  ])('lasts as long if the system clock is set %s', async (_name, jumpMs) => {
    const clock = createVirtualClock();
    clock.setTimeout(() => clock.setWall(clock.now() + jumpMs), 20_000);
    const { events, end } = await watched({}, MISSING, { timeoutMs: 60_000, clock });
    expect(events.length).toBe(1);
    expect(end.end).toBe('timeout');
    expect(clock.monotonic()).toBe(60_000);
  });

  test.each([86_400_000, -86_400_000])(
    'measures the age of verification by the monotonic clock: %d',
    async (jumpMs) => {
      const clock = createVirtualClock();
      clock.setTimeout(() => clock.setWall(clock.now() + jumpMs), 60_000);
      const ages: number[] = [];
      const probe = stubProbe('pending', ({ certificate, now }) => {
        ages.push(now.getTime() - (certificate?.verifiedAt?.getTime() ?? 0));
        return undefined;
      });
      const request = { verifiedAt: new Date(clock.now() - 28 * 60_000) };
      await watched(request, RIGHT, { until: 'active', timeoutMs: 150_000, probe, clock });
      // Every 30 s, and exactly at 30 minutes.
      expect(ages.map((age) => age / 60_000)).toEqual([28, 28.5, 29, 29.5, 30]);
    },
  );

  test('treats a future time as unknown', async () => {
    const probe = stubProbe('pending');
    const clock = createVirtualClock();
    const request = { verifiedAt: new Date(clock.now() + 86_400_000) };
    const options = { until: 'active', timeoutMs: 35 * 60_000, probe, clock } as const;
    const { events, end } = await watched(request, RIGHT, options);
    expect(events).toEqual(['0 changed verified', '1800 reverify verified']);
    expect(end.report.verifiedAt).toEqual(new Date(clock.now() - 35 * 60_000));
  });

  test('starts the 30 minutes again after the record was wrong', async () => {
    const ages: (number | undefined)[] = [];
    const probe = stubProbe('pending', ({ certificate, now }) => {
      const verifiedAt = certificate?.verifiedAt;
      if (certificate !== undefined) ages.push(verifiedAt && (now.getTime() - verifiedAt.getTime()) / 1_000);
      return undefined;
    });
    const { events } = await watched(
      {},
      RIGHT,
      { until: 'active', timeoutMs: 40_000, probe },
      { 7: MISSING, 16: RIGHT },
    );
    expect(events).toEqual(['0 changed verified', '10 changed action-required', '25 changed verified']);
    expect(ages).toEqual([0, 5, 0, 5, 10]);
  });

  test('reports each pause, even without a change', async () => {
    const pauses: string[] = [];
    const clock = createVirtualClock();
    const start = clock.now();
    const { events } = await watched({}, MISSING, {
      clock,
      timeoutMs: 20_000,
      onPause: ({ request, report, nextCheckAt }) =>
        pauses.push(`${request.domain} ${report.state} ${String((nextCheckAt.getTime() - start) / 1_000)}`),
    });
    expect(events).toEqual(['0 changed action-required']);
    expect(pauses).toEqual([5, 15, 20].map((seconds) => `${SHOP} action-required ${String(seconds)}`));
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no screen');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no screen'))],
  ])('continues after an onPause that %s, with one warning', async (_, onPause) => {
    const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const { end } = await watched({}, MISSING, { onPause }, { 100: RIGHT });
    expect(end).toMatchObject({ end: 'reached', report: { state: 'verified' } });
    expect(emitted.mock.calls.map(([message]) => message)).toEqual([
      'The option onPause failed (no screen). The watch continues. Its later errors are not reported.',
    ]);
  });

  test('rejects if it is aborted during a pause', async () => {
    const controller = new AbortController();
    const clock = createVirtualClock();
    const dns = fakeDns(MISSING);
    const options = { dns, clock, random: counter(), resolvers: [RESOLVER], signal: controller.signal };
    const watch = watchDomain({ domain: SHOP, target: TARGET }, options);
    await watch.next();
    const next = watch.next();
    await settle();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toMatchObject({ type: 'aborted', cause: new Error('enough') });
    expect(clock.pending).toBe(0);
  });
});
