import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/errors.js';
import type { CheckOptions, CheckRequest } from '../../src/domain/options.js';
import type { Report } from '../../src/domain/report.js';
import { openRun } from '../../src/domain/run.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';
import { fakeDns, type World } from './fake-dns.js';
import { RESOLVER, TARGET, counter, worldOf } from './world.js';

const RIGHT = worldOf([`shop CNAME ${TARGET}.`]);

function setUp(world: World, options: CheckOptions = {}) {
  const clock = createVirtualClock();
  const dns = fakeDns(world);
  const all: CheckOptions = { dns, clock, random: counter(), resolvers: [RESOLVER], ...options };
  const check = async (request: Partial<CheckRequest>): Promise<Report> => {
    const run = await openRun(all);
    try {
      return await run.check({
        domain: 'shop.example.test',
        target: TARGET,
        plan: 'pro',
        deployed: true,
        ...request,
      });
    } finally {
      run.close();
    }
  };
  return { check, dns, clock, all };
}

describe('a name that is none', () => {
  test('is reported, with no question asked', async () => {
    const { check, dns } = setUp(RIGHT);
    const report = await check({ domain: 'https://shop.example.test/cart' });
    expect(report).toMatchObject({
      state: 'invalid',
      domain: { input: 'https://shop.example.test/cart' },
      findings: [{ id: 'name.invalid', severity: 'block' }],
      expected: [],
      next: [{ command: `petstore domain verify shop.example.test --target ${TARGET}` }],
    });
    expect(dns.asked).toEqual([]);
  });

  test('gets no command where none can be guessed', async () => {
    expect((await setUp(RIGHT).check({ domain: '192.0.2.1' })).next).toEqual([]);
  });

  test('is refused as a target', async () => {
    const { check, dns } = setUp(RIGHT);
    await expect(check({ target: 'not a host' })).rejects.toThrow(InvalidInputError);
    expect(dns.asked).toEqual([]);
  });

  test('may be that of the target, and is reported as well', async () => {
    const { check, dns } = setUp(RIGHT);
    expect(await check({ target: 'SHOP.example.test.' })).toMatchObject({
      state: 'invalid',
      findings: [{ id: 'name.invalid' }],
      next: [],
    });
    expect(dns.asked).toEqual([]);
  });
});

describe('the plan', () => {
  const cases: [CheckRequest['plan'], string[]][] = [
    ['Pro', []],
    ['business', []],
    ['Enterprise', []],
    ['Free', ['plan.required']],
    [undefined, ['plan.unknown']],
    [{ name: 'Pro', paid: true, inferred: true }, []],
  ];
  test.each(cases)('%j', async (plan, expected) => {
    const { findings } = await setUp(RIGHT).check({ plan });
    expect(findings.filter(({ axis }) => axis === 'plan').map(({ id }) => id)).toEqual(expected);
  });
});

describe('the end', () => {
  test('comes with the time, and then nothing is known', async () => {
    const { check, clock, dns } = setUp(RIGHT, { timeoutMs: 1_000 });
    const ask = dns.ask.bind(dns);
    // Answers that never come of themselves.
    dns.ask = async (server, question, options) => {
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

  test('comes with the signal, and its reason', async () => {
    const controller = new AbortController();
    const { check } = setUp(RIGHT, { signal: controller.signal });
    const report = check({});
    controller.abort(new Error('enough'));
    await expect(report).rejects.toThrow('enough');
    await expect(check({})).rejects.toThrow('enough');
  });

  test('leaves a client that was handed in open, and no timer', async () => {
    const { check, dns, clock } = setUp(RIGHT, { timeoutMs: 1_000 });
    await check({});
    expect(dns.asked).not.toContain('closed');
    expect(clock.pending).toBe(0);
  });
});
