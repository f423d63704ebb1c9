import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDomains, type Report } from '../../src/domain/index.js';
import type { Endpoint } from './endpoint.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { startNameServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { startRelay } from './relay.js';
import { type ResolverKind, startResolver, whyNoResolver } from './resolver.js';
import { delegationOf, platformZone, topZones, zoneAt } from './zone-text.js';

const TARGET = 'cname.platform.test';
const RIGHT = `CNAME ${TARGET}.`;
/** Seconds that the zone, a resolver with a lowest TTL and one with a highest TTL keep a response. */
const TTL = 8;
const FLOOR = 11;
const CAP = 5;

interface Case {
  kind: ResolverKind;
  settings?: readonly string[];
  /** Whether it filters one name. */
  isFilter?: true;
}
const FILTERED = 'filtered.times.test';
const STALE = 'BIND that serves expired records';
const EXPIRED = 'Unbound that serves expired records';
const EXPIRED_WITH_CODE = `${EXPIRED}, and says so`;
/** A name that nobody queries between its expiry and the second check. */
const KEPT = 'kept';
const CASES: Readonly<Record<string, Case>> = {
  'Unbound with a lowest TTL': {
    kind: 'unbound',
    isFilter: true,
    settings: [`cache-min-ttl: ${String(FLOOR)}`, `local-zone: "${FILTERED}" always_nxdomain`],
  },
  'Unbound with a highest TTL': {
    kind: 'unbound',
    settings: [`cache-max-ttl: ${String(CAP)}`, `cache-max-negative-ttl: ${String(CAP)}`],
  },
  'Knot Resolver with a lowest TTL': {
    kind: 'knot-resolver',
    isFilter: true,
    settings: [
      `cache.min_ttl(${String(FLOOR)})`,
      `policy.add(policy.suffix(policy.DENY, policy.todnames({'${FILTERED}.'})))`,
    ],
  },
  'Knot Resolver with a highest TTL': {
    kind: 'knot-resolver',
    settings: [`cache.max_ttl(${String(CAP)})`],
  },
  'PowerDNS Recursor with a lowest TTL': {
    kind: 'powerdns-recursor',
    settings: [`minimum-ttl-override=${String(FLOOR)}`],
  },
  'PowerDNS Recursor with a highest negative TTL': {
    kind: 'powerdns-recursor',
    settings: [`max-negative-ttl=${String(CAP)}`],
  },
  [STALE]: {
    kind: 'bind',
    settings: ['stale-cache-enable yes;', 'stale-answer-enable yes;', 'stale-answer-client-timeout 0;'],
  },
  'dnsmasq with a lowest TTL': {
    kind: 'dnsmasq',
    isFilter: true,
    settings: [`min-cache-ttl=${String(FLOOR)}`, `address=/${FILTERED}/`],
  },
  'dnsmasq with a highest TTL, in front of Unbound': {
    kind: 'dnsmasq',
    settings: [`max-cache-ttl=${String(CAP)}`],
  },
  'dnsmasq that shows a highest TTL': { kind: 'dnsmasq', settings: [`max-ttl=${String(CAP)}`] },
  [EXPIRED]: { kind: 'unbound', settings: ['serve-expired: yes'] },
  [EXPIRED_WITH_CODE]: { kind: 'unbound', settings: ['serve-expired: yes', 'ede-serve-expired: yes'] },
  'systemd-resolved': { kind: 'systemd-resolved' },
  stubby: { kind: 'stubby' },
};
const NAMES = Object.keys(CASES);

const ADDRESS: Record<string, string> = {
  registry: '127.56.0.1',
  server: '127.56.0.2',
  upstream: '127.56.0.3',
  ...Object.fromEntries(
    // BIND listens only at addresses of an interface.
    NAMES.map((name, index) => [
      name,
      CASES[name]?.kind === 'bind' ? '127.0.0.1' : `127.56.1.${String(index + 1)}`,
    ]),
  ),
};
const OLD = {
  absent: [],
  empty: ['empty TXT kept'],
  old: [`old ${String(TTL)} A 198.51.100.7`],
  alias: [`alias ${String(TTL)} CNAME host`, 'host 2 A 198.51.100.8', 'host 2 AAAA 2001:db8::8'],
};
const LABELS = Object.keys(OLD) as (keyof typeof OLD)[];
const ALWAYS = [`filtered ${RIGHT}`, `right ${RIGHT}`];
const why = (name: string): string | undefined => whyNotHere() ?? whyNoResolver(CASES[name]!.kind);

/** What was promised for a name, and what the resolver returned. Times are of `performance.now()`. */
interface Outcome {
  reports: Report[];
  reportedAt: number;
  /** When the last query was sent that got the old response. */
  oldAt: number;
}

describeServers('the times of resolvers', whyNotHere(), () => {
  let lab: Lab<string>;
  const outcomes = new Map<string, Outcome>();
  const rightAfterCheck = new Map<string, boolean>();
  const lastReport = (key: string): Report | undefined => outcomes.get(key)?.reports.at(-1);

  /** Whether programs get the addresses of the target. */
  const isRight = async (resolver: Endpoint, name: string): Promise<boolean> => {
    const responses = await Promise.all(
      (['A', 'AAAA'] as const).map((type) => resolver.query(name, type, { recursive: true })),
    );
    return responses.every(({ answers }) => answers.some((one) => one.name === TARGET));
  };
  beforeAll(async () => {
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    const address = ADDRESS.server ?? '';
    const before = zoneAt('times.test', address, [
      ...ALWAYS,
      ...Object.values(OLD).flat(),
      `${KEPT} ${String(TTL)} A 198.51.100.9`,
    ]);
    const zones = [platformZone(address), { ...before, negativeTtl: TTL }];
    const top = topZones(ADDRESS.registry ?? '', zones.flatMap(delegationOf));
    const [server] = await Promise.all([
      startNameServer('knot', daemons, at('server'), zones),
      startNameServer('knot', daemons, at('registry'), top),
    ]);
    if (whyNoResolver('knot-resolver') === undefined)
      for (const name of ['registry', 'server']) (await startRelay(at(name, 53), at(name))).unref();
    const upstream = at('upstream');
    await startResolver('unbound', daemons, upstream, at('registry'), zones);
    const used = NAMES.filter((name) => why(name) === undefined);
    await Promise.all(
      used.map((name) => {
        const { kind, settings = [] } = CASES[name]!;
        return startResolver(kind, daemons, at(name), at('registry'), zones, { settings, upstream });
      }),
    );
    await Promise.all(
      used.flatMap((name) => [...LABELS, KEPT].map((label) => isRight(at(name), `${label}.times.test`))),
    );
    await server.edit({
      'times.test': [...ALWAYS, ...[...LABELS, KEPT].map((label) => `${label} ${RIGHT}`)],
    });
    const check = async (name: string, labels: readonly string[]): Promise<void> => {
      const requests = labels.map((label) => ({ domain: `${label}.times.test`, target: TARGET }));
      for await (const report of checkDomains(requests, lab.options(name))) {
        const key = `${report.domain.unicode} ${name}`;
        const { reports } = outcomes.get(key) ?? { reports: [] };
        outcomes.set(key, { reports: [...reports, report], reportedAt: performance.now(), oldAt: 0 });
      }
    };
    await Promise.all(used.map((name) => check(name, [...LABELS, 'filtered'])));
    const end = performance.now() + (FLOOR + 3) * 1_000;
    const poll = async (name: string, label: string): Promise<void> => {
      for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
        if (await isRight(at(name), `${label}.times.test`)) return;
        outcomes.get(`${label}.times.test ${name}`)!.oldAt = sentAt;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    };
    await Promise.all(used.flatMap((name) => LABELS.map((label) => poll(name, label))));
    if (used.includes(STALE)) await check(STALE, ['old']);
    for (const name of used) {
      const stateOf = (): string | undefined => lastReport(`right.times.test ${name}`)?.state;
      // Knot Resolver 5.6 returns SERVFAIL to the first query after the end of a delegation, and then resolves it again.
      for (let tries = 0; tries < 3 && stateOf() !== 'verified'; tries += 1) await check(name, ['right']);
    }
    await new Promise((resolve) => setTimeout(resolve, end - performance.now()));
    await Promise.all([EXPIRED, EXPIRED_WITH_CODE].map((name) => check(name, [KEPT])));
    for (const name of [EXPIRED, EXPIRED_WITH_CODE])
      rightAfterCheck.set(name, await isRight(at(name), `${KEPT}.times.test`));
  }, 60_000);
  afterAll(() => (lab as Lab<string> | undefined)?.close());

  const promiseOf = (report: Report | undefined): number | undefined => report?.estimate?.inSeconds;

  test.for(NAMES)('%s: no old response after the promised time', (name, { skip }) => {
    skip(why(name) !== undefined, why(name));
    const broken = LABELS.filter((label) => {
      const { reports, reportedAt, oldAt } = outcomes.get(`${label}.times.test ${name}`)!;
      const report = name === STALE ? undefined : reports[0];
      const isPromised = report?.state === 'verified' || promiseOf(report) !== undefined;
      // A TTL is a whole number of seconds, rounded down.
      return isPromised && oldAt > reportedAt + ((promiseOf(report) ?? 0) + 1) * 1_000;
    });
    expect(broken).toEqual([]);
    const longest = name.includes('lowest') ? FLOOR : TTL;
    for (const label of LABELS)
      expect(promiseOf(outcomes.get(`${label}.times.test ${name}`)!.reports[0]) ?? 0).toBeLessThanOrEqual(
        longest,
      );
    expect(lastReport(`right.times.test ${name}`)?.state).toBe('verified');
  });

  test.for([
    [EXPIRED, 30],
    [EXPIRED_WITH_CODE, undefined],
  ] as const)('%s: a query replaces the record, and the promise is %s', ([name, promise]) => {
    const { reports } = outcomes.get(`${KEPT}.times.test ${name}`)!;
    expect([reports[0]?.state, promiseOf(reports[0])]).toEqual(['propagating', promise]);
    expect(rightAfterCheck.get(name)).toBe(true);
  });

  test('most of them promise a time', () => {
    const promised = [...outcomes.values()].filter(({ reports: [first] }) => promiseOf(first) !== undefined);
    expect(promised.length).toBeGreaterThan(outcomes.size / 3);
  });

  test('nothing is promised for an expired record or behind a filter', ({ skip }) => {
    skip(whyNoResolver('bind') !== undefined, whyNoResolver('bind'));
    const stale = outcomes.get(`old.times.test ${STALE}`)?.reports[1];
    expect([stale?.state, promiseOf(stale)]).toEqual(['propagating', undefined]);
    const filters = [...outcomes].filter(
      ([key]) => key.startsWith(FILTERED) && CASES[key.slice(FILTERED.length + 1)]?.isFilter,
    );
    expect(filters.map(([, { reports }]) => reports[0]?.state)).toEqual(filters.map(() => 'inconclusive'));
  });
});
