import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/errors.js';
import type { CheckOptions, CheckRequest, DomainProbes, ProbeSubject } from '../../src/domain/options.js';
import type { Report } from '../../src/domain/report.js';
import { openRun } from '../../src/domain/run.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';
import { fakeDns, type World } from './fake-dns.js';
import { NS1, NS2, PLATFORM, RESOLVER, TARGET, counter, recursiveQuestions, worldOf } from './world.js';

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

describe('probes', () => {
  function scripted() {
    const seen: (ProbeSubject & { found: readonly string[] })[] = [];
    const probes: DomainProbes = {
      certificate: async (subject) => {
        seen.push({ ...subject, found: await subject.addressesOf(TARGET) });
        const finding = {
          id: 'cert.active',
          axis: 'certificate',
          severity: 'info',
          message: '',
          evidence: [],
        } as const;
        return { report: { status: 'active', addresses: [] }, findings: [finding] };
      },
      redirects: async (entries) => ({
        report: entries.map((entry) => ({ ...entry, observed: [] })),
        findings: [
          { id: 'redirect.missing', axis: 'redirect', severity: 'block', message: '', evidence: [] },
        ],
      }),
    };
    return { probes, seen };
  }

  test('are told the addresses that visitors get', async () => {
    const { probes, seen } = scripted();
    const report = await setUp(RIGHT, { probes }).check({ probe: { httpsPort: 8443 } });
    expect(report).toMatchObject({ state: 'active', certificate: { status: 'active' } });
    expect(report).not.toHaveProperty('redirects');
    expect(seen).toMatchObject([
      {
        domain: 'shop.example.test',
        target: TARGET,
        addresses: ['192.0.2.80', '2001:db8::80'],
        probe: { httpsPort: 8443 },
        found: ['192.0.2.80', '2001:db8::80'],
      },
    ]);
  });

  test('do not look at the certificate before the record is right, nor unasked', async () => {
    const { probes, seen } = scripted();
    await setUp(worldOf([]), { probes }).check({});
    await setUp(RIGHT, { probes }).check({ certificate: false });
    expect(seen).toEqual([]);
  });

  test('of redirects bring findings that count', async () => {
    const { probes } = scripted();
    const redirects = [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }];
    const report = await setUp(RIGHT, { probes }).check({ redirects });
    expect(report.redirects).toMatchObject([{ from: 'www.example.test' }]);
    expect(report.findings[0]?.id).toBe('redirect.missing');
  });
});

describe('redirects', () => {
  const HOST = 'new.example.test';
  const entries = [{ from: HOST, to: 'shop.example.test', status: 301 }];

  /** What the probe of redirects was told, and found at another host. */
  async function told(
    world: World,
    { status = 'active', ...request }: Partial<CheckRequest> & { status?: 'active' | 'pending' } = {},
  ) {
    const seen: { addresses: readonly string[]; found: readonly string[] }[] = [];
    const missing = {
      id: 'redirect.no-cert-on-from',
      axis: 'redirect',
      severity: 'block',
      message: '',
      evidence: [],
    } as const;
    const probes: DomainProbes = {
      certificate: async () => ({ report: { status, addresses: [] }, findings: [] }),
      redirects: async (_entries, subject) => {
        seen.push({ addresses: subject.addresses, found: await subject.addressesOf(HOST) });
        return { report: [], findings: [missing] };
      },
    };
    const { check, dns } = setUp(world, { probes });
    const report = await check({ redirects: entries, ...request });
    return { seen, dns, report };
  }

  test.each<[string, string[], string[]]>([
    ['an old address', ['shop A 192.0.2.99'], ['192.0.2.99']],
    ['another name of the zone', ['shop CNAME old', 'old A 192.0.2.98'], ['192.0.2.98']],
    ['a name elsewhere', ['shop CNAME ns.platform.test.'], [PLATFORM]],
    ['nowhere', [], []],
  ])('are looked at where the domain leads: %s', async (_name, lines, addresses) => {
    const { seen } = await told(worldOf(lines));
    expect(seen).toMatchObject([{ addresses }]);
  });

  test("are looked at at the target's addresses where no resolver answers", async () => {
    const { seen } = await told({ ...RIGHT, rcodes: refusing('A', 'AAAA') });
    expect(seen).toMatchObject([{ addresses: ['192.0.2.80', '2001:db8::80'] }]);
  });

  test('make no resolver remember hosts that are yet to come', async () => {
    const { seen, dns } = await told(
      worldOf([`shop CNAME ${TARGET}.`], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }),
    );
    expect(seen).toMatchObject([{ found: [] }]);
    expect(recursiveQuestions(dns, HOST)).toEqual([]);
  });

  test('may be looked at at a host that only a resolver tells of', async () => {
    const { seen, dns } = await told(
      worldOf([`${HOST}. A 192.0.2.97`], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }),
      { probe: { connect: HOST } },
    );
    expect(seen).toMatchObject([{ found: ['192.0.2.97'] }]);
    expect(recursiveQuestions(dns, HOST)).not.toEqual([]);
  });

  test.each([
    ['active', 'block'],
    ['pending', 'wait'],
  ] as const)('while the certificate is %s lack theirs: %s', async (status, severity) => {
    const { report } = await told(RIGHT, { status });
    expect(report.state).toBe('verified');
    expect(report.findings).toContainEqual(
      expect.objectContaining({ id: 'redirect.no-cert-on-from', severity }),
    );
  });
});

function refusing(...types: string[]): NonNullable<World['rcodes']> {
  return Object.fromEntries(types.map((type) => [`${RESOLVER} ${type} shop.example.test`, 'REFUSED']));
}

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
