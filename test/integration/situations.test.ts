import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDomain, checkDomains, type Clock, exitCodeOf, type Report } from '../../src/domain/index.js';
import { editedLines } from '../domain/edited-lines.js';
import { SITUATIONS as ALL } from '../domain/situations.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { type NameServer, type ServerKind, startNameServer, whyNoServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { startResolver, whyNoResolver } from './resolver.js';
import { delegationOf, platformZone, type ServedZone, topZones } from './zone-text.js';

/** The table of situations: what real servers have, and what a check reports. */

const ADDRESS = {
  registry: '127.53.3.1',
  first: '127.53.3.2',
  second: '127.53.3.3',
  resolver: '127.53.3.4',
  forwarder: '127.53.3.9',
  // The kinds of servers. BIND listens only at addresses of an interface.
  knot: '127.53.3.5',
  nsd: '127.53.3.6',
  bind: '127.0.0.1',
  powerdns: '127.53.3.8',
};
const TARGET = 'cname.platform.test';
const RIGHT = `shop CNAME ${TARGET}.`;

interface Situation {
  /** Row of the requirements, and what the servers have. */
  name: string;
  zone: string;
  /** At the first server, and at the second one unless `other` is set. */
  records: readonly string[];
  /** Another copy at the second server. */
  other?: Partial<ServedZone>;
  /** Lines of the registry instead of a correct delegation; empty for no delegation. */
  delegation?: readonly string[];
  /** Default `shop`; empty for the apex. */
  label?: string;
  target?: string;
  issuer?: string;
  verdict: Report['state'];
  exitCode: number;
  finding: string;
  /** DNS queries at most. */
  queriesMax: number;
  /** Seconds of the checker's own waits, on a counted clock. */
  waits?: number;
}

const SITUATIONS: readonly Situation[] = [
  // prettier-ignore
  ...([
    { name: 'a correct subdomain', zone: 'healthy', records: [RIGHT], verdict: 'verified', exitCode: 0, finding: 'record.ok info', queriesMax: 24 },
    { name: 'no record', zone: 'missing', records: [], verdict: 'action-required', exitCode: 1, finding: 'record.missing block', queriesMax: 36 },
    { name: '4: two providers', zone: 'split', records: [RIGHT], other: { records: [], serial: 2_026_112_201 }, verdict: 'action-required', exitCode: 1, finding: 'zone.split-providers block', queriesMax: 40 },
    { name: '4: an older copy', zone: 'behind', records: [RIGHT], other: { records: [], serial: 9 }, verdict: 'propagating', exitCode: 8, finding: 'zone.serial-skew wait', queriesMax: 40 },
    { name: "5: an apex with the target's addresses", zone: 'copied', label: '', records: ['@ 300 A 192.0.2.10', '@ 300 AAAA 2001:db8::10'], verdict: 'verified', exitCode: 0, finding: 'apex.alias-consistent info', queriesMax: 45, waits: 1.1 },
    { name: '5: an apex at an old host', zone: 'old', label: '', records: ['@ A 198.51.100.7'], verdict: 'action-required', exitCode: 1, finding: 'apex.wrong-address block', queriesMax: 45 },
    { name: '7: an apex with IPv6 only', zone: 'sixonly', label: '', records: ['@ 300 AAAA 2001:db8::10'], verdict: 'action-required', exitCode: 1, finding: 'apex.ipv4-missing block', queriesMax: 45 },
    { name: '7: an apex with IPv4 only', zone: 'fouronly', label: '', records: ['@ 300 A 192.0.2.10'], verdict: 'verified', exitCode: 0, finding: 'apex.ipv6-missing warn', queriesMax: 45, waits: 1.1 },
    { name: '11: type NS instead of CNAME', zone: 'typedns', records: [`shop NS ${TARGET}.`], verdict: 'action-required', exitCode: 1, finding: 'conflict.other-types block', queriesMax: 24 },
    { name: '11: an IP address as name server', zone: 'typedip', records: [], delegation: ['typedip NS 192.0.2.9.'], verdict: 'action-required', exitCode: 1, finding: 'zone.no-delegation block', queriesMax: 24 },
    { name: '11: the target as name server', zone: 'typedtarget', records: [], delegation: [`typedtarget NS ${TARGET}.`, `typedtarget NS ns1.typedtarget.test.`, `ns1.typedtarget.test. A ${ADDRESS.first}`], verdict: 'action-required', exitCode: 1, finding: 'zone.lame-ns block', queriesMax: 60 },
    { name: '11: a name server that is an alias', zone: 'aliasns', records: [RIGHT], delegation: ['aliasns NS nsalias.platform.test.'], verdict: 'verified', exitCode: 0, finding: 'zone.lame-ns warn', queriesMax: 45 },
    { name: '11: outdated glue', zone: 'glue', records: [RIGHT], delegation: ['glue NS ns1.glue', 'glue NS ns2.glue', `ns1.glue A ${ADDRESS.first}`, `ns2.glue A ${ADDRESS.first}`], verdict: 'verified', exitCode: 0, finding: 'zone.ns-mismatch warn', queriesMax: 45 },
    { name: '12: a malformed CAA value', zone: 'badcaa', records: [RIGHT, '@ CAA 0 issue "letsencrypt.org bad"'], issuer: 'letsencrypt.org', verdict: 'action-required', exitCode: 1, finding: 'caa.blocked block', queriesMax: 24 },
    { name: '12: a tab around the CAA value', zone: 'tabcaa', records: [RIGHT, '@ CAA 0 issue "\\009letsencrypt.org\\009"'], issuer: 'letsencrypt.org', verdict: 'verified', exitCode: 0, finding: 'caa.ok info', queriesMax: 24 },
    { name: '15: a target with a private address', zone: 'private', records: ['shop CNAME internal.platform.test.'], target: 'internal.platform.test', verdict: 'verified', exitCode: 0, finding: 'record.reserved-address warn', queriesMax: 30 },
    { name: 'a name that is not registered', zone: 'nobody', records: [], delegation: [], verdict: 'action-required', exitCode: 1, finding: 'zone.not-registered block', queriesMax: 24 },
  ] satisfies Situation[]),
];

/** Records next to a CNAME, an ALIAS, a malformed line. */
const NOT_IN_ZONE_FILES = /coexist|multiple-cname|apex\.(?:cname|missing)|ALIAS|https:/;

/** The kinds of servers, and the situations that they do not load or show. */
const KINDS = {
  knot: NOT_IN_ZONE_FILES,
  nsd: NOT_IN_ZONE_FILES,
  bind: NOT_IN_ZONE_FILES,
  // It hides the records next to a CNAME. The clock of this test does not wait for a TTL.
  powerdns: /coexist|alias-proved|https:/,
} satisfies Partial<Record<ServerKind, RegExp>>;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** The situations of docs/domains.md that a zone file can show, each in a zone of its own. */
const FOLLOWED = KIND_NAMES.flatMap((kind) =>
  ALL.flatMap(({ did, at, request = {}, shows, then, end, thenRequest, appendsZone, web }, index) => {
    const zone = `${kind}${String(index)}.test`;
    const others = [then, end, thenRequest, appendsZone, web];
    const isPlain = Array.isArray(at) && others.every((part) => part === undefined);
    if (!isPlain || KINDS[kind].test([shows, ...at].join('\n'))) return [];
    const moved = (text: string): string =>
      text
        .replaceAll('example.test', zone)
        .replaceAll('192.0.2.80', '192.0.2.10')
        .replaceAll('2001:db8::80', '2001:db8::10')
        .replace(/( CAA \d+ \w+) (.*)$/, '$1 "$2"');
    const domain = moved(request.domain ?? 'shop.example.test');
    const served: ServedZone = {
      name: zone,
      serial: 10,
      hosts: { ns1: ADDRESS[kind] },
      records: at.map(moved),
    };
    return [{ kind, did, served, request: { ...request, domain }, shows }];
  }),
);

describeServers('situations on real servers', whyNotHere(), () => {
  let lab: Lab<keyof typeof ADDRESS>;
  const servers = new Map<string, NameServer>();
  const resolvers: (keyof typeof ADDRESS)[] = ['resolver'];

  beforeAll(async () => {
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    const hosts = { ns1: ADDRESS.first, ns2: ADDRESS.second };
    const served = SITUATIONS.map(({ zone, records }): ServedZone => ({
      name: `${zone}.test`,
      serial: 10,
      hosts,
      records,
    }));
    const followed = FOLLOWED.filter(({ kind }) => whyNoServer(kind) === undefined).map((one) => one.served);
    const copies = SITUATIONS.map(({ other }, index): ServedZone => ({ ...served[index]!, ...other }));
    const platform = platformZone(ADDRESS.first);
    const shared = {
      ...platform,
      hosts,
      records: [...platform.records, 'internal A 10.0.0.5', 'nsalias CNAME ns1'],
    };
    const top = topZones(ADDRESS.registry, [
      ...delegationOf(shared),
      ...SITUATIONS.flatMap(({ delegation }, index) => delegation ?? delegationOf(served[index]!)),
      ...followed.flatMap(delegationOf),
    ]);
    await Promise.all([
      startNameServer('knot', daemons, at('registry'), top),
      startNameServer('knot', daemons, at('first'), [shared, ...served]),
      startNameServer('knot', daemons, at('second'), [shared, ...copies]),
      ...KIND_NAMES.map(async (kind) => {
        const own = FOLLOWED.filter((one) => one.kind === kind && followed.includes(one.served));
        const zones = own.map((one) => one.served);
        if (zones.length === 0) return;
        servers.set(kind, await startNameServer(kind, daemons, at(kind), zones, at('resolver')));
      }),
    ]);
    const registered = [shared, ...served, ...followed].filter(({ name }) => name !== 'nobody.test');
    await startResolver('unbound', daemons, at('resolver'), at('registry'), registered);
    if (whyNoResolver('dnsmasq') !== undefined) return;
    const upstream = at('resolver');
    await startResolver('dnsmasq', daemons, at('forwarder'), at('registry'), [], { upstream });
    resolvers.push('forwarder');
  });
  afterAll(() => (lab as Lab<string> | undefined)?.close());

  for (const kind of KIND_NAMES) {
    const why = whyNoServer(kind);
    const skipped = why === undefined ? '' : ` (skipped: ${why})`;
    test.skipIf(why !== undefined)(`${kind}: the advice leads to a verified domain${skipped}`, async () => {
      const own = FOLLOWED.filter((one) => one.kind === kind);
      const check = async (): Promise<Report[]> => {
        const options = { ...lab.options(...resolvers), clock: countingClock() };
        const requests = own.map(({ request }) => ({
          target: TARGET,
          plan: 'Pro',
          deployed: true,
          ...request,
        }));
        const reports: Report[] = [];
        for await (const report of checkDomains(requests, options)) reports.push(report);
        return reports;
      };
      const reports = await check();
      const shown = reports.map(({ findings }, index) =>
        findings.some(({ id }) => id === own[index]?.shows) ? '' : own[index]?.did,
      );
      expect(shown.filter((did) => did !== '')).toEqual([]);
      const lines = own.map(({ served }) => served.records);
      for (let step = 0; reports.some(({ todo }) => todo.length > step); step += 1) {
        const changes: Record<string, readonly string[]> = {};
        for (const [index, { served }] of own.entries()) {
          const todo = reports[index]?.todo[step];
          if (todo === undefined) continue;
          lines[index] = editedLines(served.name, lines[index] ?? [], todo);
          changes[served.name] = lines[index];
        }
        await servers.get(kind)?.edit(changes);
      }
      const last = await check();
      const wrong = last.flatMap(({ state, todo, findings }, index) =>
        state === 'verified' && todo.length === 0
          ? []
          : [{ did: own[index]?.did, state, found: findings.map(({ id, message }) => `${id}: ${message}`) }],
      );
      expect(wrong).toEqual([]);
      expect(own.length).toBeGreaterThan(20);
    });
  }

  test.each(SITUATIONS)('$name: $verdict, $finding', async (situation) => {
    const { zone, label = 'shop', target = TARGET, issuer, verdict, finding } = situation;
    const clock = countingClock();
    const report = await checkDomain(
      { domain: label === '' ? `${zone}.test` : `${label}.${zone}.test`, target, issuer, plan: 'Pro' },
      { ...lab.options('resolver'), trace: true, clock },
    );
    expect(report.findings.map(({ id, severity }) => `${id} ${severity}`)).toContain(finding);
    expect(report.state).toBe(verdict);
    expect(exitCodeOf(report.state, report.findings)).toBe(situation.exitCode);
    expect(report.trace?.length).toBeLessThanOrEqual(situation.queriesMax);
    expect(clock.waitedMs).toBe((situation.waits ?? 0) * 1_000);
  });
});

/** Counts the checker's own waits, and does not wait. Real servers do not need them. */
function countingClock(): Clock & { readonly waitedMs: number } {
  let waitedMs = 0;
  return {
    get waitedMs() {
      return waitedMs;
    },
    now: () => Date.UTC(2026, 10, 22) + waitedMs,
    monotonic: () => waitedMs,
    setTimeout(callback, delayMs) {
      waitedMs += delayMs;
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
}
