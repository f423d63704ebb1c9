import { describe, expect, test, vi } from 'vitest';
import type { CheckRequest } from '../../src/domain/request/options.js';
import {
  type DomainWatchEvent,
  watchDomains,
  type WatchDomainsOptions,
} from '../../src/domain/run/watch-domains.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';
import { fakeDns, type World } from './fake-dns.js';
import { counter, NS1, RESOLVER, TARGET, TLD, worldOf } from './world.js';

const LABELS = ['one', 'two', 'three', 'four'];
const REQUESTS: CheckRequest[] = LABELS.map((label) => ({
  domain: `${label}.example.test`,
  target: TARGET,
  plan: 'Pro',
  deployed: true,
}));
const line = (label: string): string => `${label} CNAME ${TARGET}.`;

function setUp(world: World, options: WatchDomainsOptions = {}) {
  const clock = createVirtualClock();
  const dns = fakeDns(world);
  const start = clock.monotonic();
  const watch = watchDomains(REQUESTS, { dns, clock, random: counter(), resolvers: [RESOLVER], ...options });
  const events: string[] = [];
  const log = (event: DomainWatchEvent): void => {
    const what = event.kind === 'end' ? `${event.end} ${event.report.state}` : event.kind;
    events.push(`${String(Math.floor((clock.monotonic() - start) / 60_000))} ${String(event.index)} ${what}`);
  };
  /** Reads to the end. Time advances only when nothing else happens. */
  const drain = async (): Promise<void> => {
    let isOver = false;
    const draining = (async () => {
      for await (const event of watch) log(event);
    })().finally(() => (isOver = true));
    draining.catch(() => undefined);
    for (;;) {
      const queryCount = dns.queries.length;
      for (let turns = 0; turns < 3; turns += 1) await settle();
      if (isOver) break;
      if (dns.queries.length === queryCount && clock.pending > 0) await clock.next();
    }
    await draining;
  };
  return { clock, dns, events, watch, drain };
}

describe('several watches', () => {
  test('report the events of each domain, up to its end', async () => {
    const { clock, dns, events, drain } = setUp(worldOf([line('two')]), { timeoutMs: 10 * 60_000 });
    clock.setTimeout(() => (dns.world = worldOf(['two', 'four'].map(line))), 5.5 * 60_000);
    await drain();
    expect(events.slice(0, 5).sort()).toEqual([
      '0 0 changed',
      '0 1 changed',
      '0 1 reached verified',
      '0 2 changed',
      '0 3 changed',
    ]);
    expect(events.slice(5, 7).map((text) => text.replace(/^[56]/, '5'))).toEqual([
      '5 3 changed',
      '5 3 reached verified',
    ]);
    // One deadline for all.
    expect(events.slice(7).sort()).toEqual(['10 0 timeout action-required', '10 2 timeout action-required']);
    expect(clock.pending).toBe(0);
  });

  test('look up zones once, and do not query the resolver', async () => {
    const { dns, drain } = setUp(worldOf([]), { timeoutMs: 4 * 60_000 });
    await drain();
    const count = (text: string): number => dns.queries.filter((one) => one.includes(text)).length;
    expect(count(`${NS1} CNAME one.example.test`)).toBeGreaterThan(5);
    expect(count(`+rd ${RESOLVER} NS test`)).toBe(1);
    expect(count(`${TLD} NS example.test`)).toBe(1);
  });

  test('run at most `concurrency` checks at a time', async () => {
    const { dns, drain } = setUp(worldOf(LABELS.map(line)), { concurrency: 1 });
    let [running, most] = [new Set<string>(), 0];
    const ask = dns.query.bind(dns);
    dns.query = async (server, question, options) => {
      const domain = LABELS.find((label) => question.name === `${label}.example.test`);
      if (domain !== undefined) running = new Set([...running, domain]);
      most = Math.max(most, running.size);
      const exchange = await ask(server, question, options);
      // A check ends with a question to the resolver.
      if (options.recursive) running = new Set([...running].filter((one) => one !== domain));
      return exchange;
    };
    await drain();
    expect(most).toBe(1);
  });

  test('all stop at the first failure', async () => {
    const clock = createVirtualClock();
    const dns = fakeDns(worldOf([]));
    const requests = [...REQUESTS, { domain: 'five.example.test', target: TARGET, plan: 'gold' }];
    const watch = watchDomains(requests, { dns, clock, random: counter(), resolvers: [RESOLVER] });
    const drain = async (): Promise<void> => {
      for await (const event of watch) expect(event.index).toBeLessThan(4);
    };
    await expect(drain()).rejects.toMatchObject({ field: 'plan' });
    expect(clock.pending).toBe(0);
  });

  test('that pause at the same time are no leak of listeners', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const many = Array.from({ length: 12 }, (_, index) => ({
      domain: `n${String(index)}.example.test`,
      target: TARGET,
    }));
    const { signal } = new AbortController();
    const options = { dns: fakeDns(worldOf([])), clock: createVirtualClock(), random: counter(), signal };
    const watch = watchDomains(many, { ...options, resolvers: [RESOLVER] });
    for (const { domain } of many)
      expect((await watch.next()).value, domain).toMatchObject({ kind: 'changed' });
    for (let turns = 0; turns < 3; turns += 1) await settle();
    await watch.return();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('stop if the caller stops reading', async () => {
    const { watch, clock, dns } = setUp(worldOf([]));
    for await (const { kind } of watch) {
      expect(kind).toBe('changed');
      break;
    }
    expect(clock.pending).toBe(0);
    const queryCount = dns.queries.length;
    await settle();
    expect(dns.queries.length).toBe(queryCount);
  });

  test('reject with an AbortedError if the signal is aborted', async () => {
    const controller = new AbortController();
    const { watch, clock } = setUp(worldOf([]), { signal: controller.signal });
    await watch.next();
    controller.abort(new Error('enough'));
    await expect(
      (async () => {
        for await (const { kind } of watch) expect(kind).toBe('changed');
      })(),
    ).rejects.toMatchObject({ type: 'aborted', cause: new Error('enough') });
    expect(clock.pending).toBe(0);
  });

  test('of no domains end at once', async () => {
    expect(await watchDomains([]).next()).toEqual({ done: true, value: undefined });
    const options = { signal: AbortSignal.abort(new Error('enough')) };
    await expect(watchDomains([], options).next()).rejects.toMatchObject({ type: 'aborted' });
  });
});
