import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.js';
import { checkDomain } from '../../../src/domain/run/checks.js';
import type { CheckRequest } from '../../../src/domain/request/options.js';
import type { VerifiedAtSource } from '../../../src/domain/report/report.js';
import { exitCodeOf } from '../../../src/domain/diagnose/verdict.js';
import { createVirtualClock, settle } from '../../support/virtual-clock.js';
import type { World } from '../fake-dns.js';
import { AUTHORITY, NOW, serveTls } from '../loopback-servers.js';
import { PLATFORM, TARGET, worldOf, zoneLab } from '../world.js';

const RIGHT = worldOf([`shop CNAME ${TARGET}.`]);

describe('an invalid name', () => {
  test('is reported without a query', async () => {
    const { check, dns } = zoneLab(RIGHT);
    const report = await check({ domain: 'https://shop.example.test/cart' });
    expect(report).toMatchObject({
      state: 'invalid',
      domain: { input: 'https://shop.example.test/cart' },
      findings: [{ id: 'name.invalid', severity: 'block' }],
      expected: [],
      next: [{ command: `petstore domain verify shop.example.test --target ${TARGET}` }],
    });
    expect(dns.queries).toEqual([]);
  });

  test('has no next step without a suggestion', async () => {
    expect((await zoneLab(RIGHT).check({ domain: '192.0.2.1' })).next).toEqual([]);
  });

  test('is rejected as a target, and reported of several domains', async () => {
    const { check, dns, options } = zoneLab(RIGHT);
    const request = { domain: 'shop.example.test', target: 'not a host' };
    await expect(checkDomain(request, options)).rejects.toThrow(InvalidInputError);
    expect(await check(request)).toMatchObject({ state: 'invalid', next: [], todo: [] });
    expect(dns.queries).toEqual([]);
  });

  test('may be the target itself, and is reported too', async () => {
    const { check, dns } = zoneLab(RIGHT);
    expect(await check({ target: 'SHOP.example.test.' })).toMatchObject({
      state: 'invalid',
      findings: [{ id: 'name.invalid' }],
      next: [],
    });
    expect(dns.queries).toEqual([]);
  });
});

describe('the plan', () => {
  const cases: [CheckRequest['plan'], string[]][] = [
    ['Pro', []],
    ['business', []],
    ['Enterprise', []],
    ['Free', ['plan.required block']],
    [undefined, ['plan.unknown unknown']],
    ['Team', ['plan.unknown unknown']],
    [{ name: 'Pro', inferred: true }, []],
    [{ name: 'free', inferred: true }, ['plan.required warn']],
    [{ name: 'free' }, ['plan.required block']],
  ];
  test.each(cases)('%j', async (plan, expected) => {
    const { findings } = await zoneLab(RIGHT).check({ plan });
    expect(
      findings.filter(({ axis }) => axis === 'plan').map(({ id, severity }) => `${id} ${severity}`),
    ).toEqual(expected);
  });
});

describe('the time of verification', () => {
  const MINUTE_MS = 60_000;

  /** Checks with a server that shows the platform's own certificate, or the shop's. */
  async function at(
    minutesAgo: number | undefined,
    {
      world = RIGHT,
      shows = 'platform',
      source,
    }: { world?: World; shows?: 'platform' | 'shop'; source?: VerifiedAtSource } = {},
  ) {
    const httpsPort = await serveTls(shows);
    const clock = createVirtualClock(NOW);
    const { check } = zoneLab(world, { clock });
    const report = await check({
      probe: { connect: '127.0.0.1', httpsPort, ca: AUTHORITY },
      verifiedAt: minutesAgo === undefined ? undefined : new Date(NOW - minutesAgo * MINUTE_MS),
      verifiedAtSource: source,
    });
    const exitCode = (until: 'verified' | 'active') => exitCodeOf(report.state, report.findings, { until });
    return {
      report,
      codes: [exitCode('verified'), exitCode('active')],
      issuance: report.findings.find(({ id }) => id === 'cert.pending' || id === 'cert.overdue'),
    };
  }

  test.each([
    [0, 'cert.pending', 'pending', 8, 'correct less than a minute ago'],
    [29, 'cert.pending', 'pending', 8, 'correct 29 minutes ago'],
    [30, 'cert.overdue', 'overdue', 1, 'correct 30 minutes ago'],
    [600, 'cert.overdue', 'overdue', 1, 'correct 10 h ago'],
    // Without a valid earlier time, this check is the first to observe it.
    [undefined, 'cert.pending', 'pending', 8, 'first known check'],
    [-5, 'cert.pending', 'pending', 8, 'first known check'],
    [NaN, 'cert.pending', 'pending', 8, 'first known check'],
  ])('%s minutes ago: %s', async (minutesAgo, id, status, code, words) => {
    const { report, codes, issuance } = await at(minutesAgo);
    const isOverdue = status === 'overdue';
    expect(report).toMatchObject({
      state: isOverdue ? 'action-required' : 'verified',
      certificate: { status },
    });
    expect(codes).toEqual([isOverdue ? 1 : 0, code]);
    expect(issuance?.id).toBe(id);
    expect(issuance?.message).toContain(words);
  });

  test('is in the report while the next check needs it', async () => {
    const minutesAgo = async (...[minutes, parts]: Parameters<typeof at>): Promise<number | undefined> => {
      const { verifiedAt } = (await at(minutes, parts)).report;
      return verifiedAt === undefined ? undefined : (NOW - verifiedAt.getTime()) / MINUTE_MS;
    };
    expect(await minutesAgo(undefined)).toBe(0);
    expect(await minutesAgo(12)).toBe(12);
    // Also after it is overdue, so that it stays overdue.
    expect(await minutesAgo(45)).toBe(45);
    expect(await minutesAgo(-12)).toBe(0);
    expect(await minutesAgo(12, { shows: 'shop' })).toBeUndefined();
    expect(await minutesAgo(12, { world: worldOf([]) })).toBeUndefined();
  });

  test('is in the report with its source', async () => {
    const sourceOf = async (...parts: Parameters<typeof at>): Promise<string | undefined> =>
      (await at(...parts)).report.verifiedAtSource;
    expect(await sourceOf(undefined)).toBe('this-check');
    expect(await sourceOf(-5, { source: 'given' })).toBe('this-check');
    expect(await sourceOf(12)).toBe('earlier-check');
    expect(await sourceOf(12, { source: 'this-check' })).toBe('earlier-check');
    expect(await sourceOf(12, { source: 'given' })).toBe('given');
    expect(await sourceOf(12, { shows: 'shop' })).toBeUndefined();
  });
});

test('a target in a private network only blocks if the goal is the certificate', async () => {
  const world = worldOf([`shop CNAME ${TARGET}.`], {
    zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, 'cname A 10.0.0.5'] },
  });
  const stateUntil = async (until?: 'verified' | 'active') => {
    const { state, findings } = await zoneLab(world, { until }).check({});
    return [state, findings.find(({ id }) => id === 'record.reserved-address')?.severity];
  };
  expect(await stateUntil()).toEqual(['verified', 'warn']);
  expect(await stateUntil('verified')).toEqual(['verified', 'warn']);
  expect(await stateUntil('active')).toEqual(['action-required', 'block']);
});

describe('the end', () => {
  test('comes at the time limit, with the state inconclusive', async () => {
    const { check, clock, dns } = zoneLab(RIGHT, { timeoutMs: 1_000 });
    const ask = dns.query.bind(dns);
    // Responses come only after the abort.
    dns.query = async (server, question, options) => {
      const { signal } = options;
      if (signal?.aborted === false) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      }
      return ask(server, question, options);
    };
    const report = check({});
    await settle();
    await clock.advance(1_000);
    expect(await report).toMatchObject({ state: 'inconclusive', decidedBy: 'public-suffix' });
  });

  test('is an AbortedError if the signal is aborted, with the reason as its cause', async () => {
    const controller = new AbortController();
    const { check } = zoneLab(RIGHT, { signal: controller.signal });
    const report = check({});
    controller.abort(new Error('enough'));
    const aborted = { type: 'aborted', message: 'The check was aborted', cause: new Error('enough') };
    await expect(report).rejects.toMatchObject(aborted);
    await expect(check({})).rejects.toMatchObject(aborted);
  });

  test('leaves a given DNS client open, and no timer', async () => {
    const { check, dns, clock } = zoneLab(RIGHT, { timeoutMs: 1_000 });
    await check({});
    expect(dns.queries).not.toContain('closed');
    expect(clock.pending).toBe(0);
  });
});
