import { digCommand, evidenceOf, serverText } from '../views/evidence.js';
import type { Facts, ServerFacts } from '../facts/facts.js';
import type { Axis, Evidence, Finding } from '../finding/finding.js';
import type { Lookup } from '../facts/lookup.js';
import { listed } from '../finding/printable.js';

/**
 * `time.ran-out`: the time allowed was over before all of the DNS was asked. What there was no time for says nothing of
 * the servers, of the network or of the record, so that it has an outcome of its own, which is told here, once. Of
 * certificate and redirects `cert.no-tls` and `redirect.missing` tell it, with what else could not be seen there.
 */
export function timeRanOut(facts: Facts): Finding[] {
  const { ranOutAfterMs, servers, zone } = facts;
  if (ranOutAfterMs === undefined) return [];
  const unasked = UNITS.flatMap(({ axis, lookupsOf }) =>
    lookupsOf(facts)
      .filter(isCutShort)
      .map((lookup) => ({ axis, lookup })),
  );
  const isLost = servers.length === 0 && isUnfound(facts);
  const hosts = isLost || servers.length > 0 ? (zone.failedHosts ?? []) : [];
  if (unasked.length + hosts.length === 0 && !isLost) return [];
  const missing = [
    ...questionsByServer(unasked.map(({ lookup }) => lookup)),
    ...(hosts.length === 0 ? [] : [`where ${listed(hosts)} can be reached`]),
    ...(isLost && unasked.length + hosts.length === 0 ? [`who serves ${zone.registrable}`] : []),
  ];
  return [
    {
      id: 'time.ran-out',
      axis: hosts.length > 0 || isLost ? 'zone' : (unasked[0]?.axis ?? 'zone'),
      severity: 'unknown',
      message: `The time allowed, ${secondsText(ranOutAfterMs)}, ran out before all was asked. ${answeredText(servers)} Not asked to the end: ${listed(missing)}.`,
      fix: {
        action: 'other',
        text: 'Allow more time with --timeout. That says nothing of the record: what was not asked is not known.',
        records: [],
      },
      evidence: evidenceFor(
        facts,
        unasked.map(({ lookup }) => lookup),
      ),
    },
  ];
}

/** What is asked, by what it decides; the weightiest first. */
const UNITS: readonly { axis: Axis; lookupsOf: (facts: Facts) => readonly Lookup[] }[] = [
  { axis: 'zone', lookupsOf: ({ zone }) => known([zone.delegation]) },
  { axis: 'record', lookupsOf: ({ servers }) => servers.flatMap(lookupsAtServer) },
  { axis: 'record', lookupsOf: lookupsNearby },
  { axis: 'propagation', lookupsOf: ({ resolvers }) => resolvers.flatMap(({ a, aaaa }) => [a, aaaa]) },
  { axis: 'caa', lookupsOf: ({ caa }) => caa.steps.map(({ lookup }) => lookup) },
];

function lookupsAtServer({
  soa,
  ns,
  cname,
  a,
  aaaa,
  mx,
  txt,
  https,
  aRepeated: aAgain,
}: ServerFacts): Lookup[] {
  return known([soa, ns, cname, a, aaaa, mx, txt, https, aAgain]);
}

function lookupsNearby({ relatedNames: nearby, platform }: Facts): Lookup[] {
  const { wildcard, others = [], doubled, doubledControl, chainEnd } = nearby;
  return known([wildcard?.lookup, ...others, doubled, doubledControl, chainEnd, platform.a, platform.aaaa]);
}

function known(lookups: readonly (Lookup | undefined)[]): Lookup[] {
  return lookups.filter((lookup) => lookup !== undefined);
}

/** Whether nobody has said yet who serves the zone. */
function isUnfound({ zone }: Facts): boolean {
  const { delegation } = zone;
  return delegation?.outcome !== 'nxdomain' && delegation?.outcome !== 'nodata';
}

/** `ns1.example.net (192.0.2.1) for A and AAAA`. */
function questionsByServer(lookups: readonly Lookup[]): string[] {
  const places = [...new Set(lookups.map(({ server }) => serverText(server)))];
  return places.map((place) => {
    const own = lookups.filter(({ server }) => serverText(server) === place);
    return `${place} for ${listed([...new Set(own.map(({ question }) => question.type))])}`;
  });
}

function answeredText(servers: readonly ServerFacts[]): string {
  const told = servers.filter((server) => !lookupsAtServer(server).some(isCutShort));
  if (servers.length === 0) return 'No name server of the zone was known by then.';
  if (told.length === 0) return 'No name server of the zone had answered by then.';
  return `Asked were ${listed(told.map(({ server }) => serverText(server)))}.`;
}

/** The first question of each server: the others are of the same kind. */
function evidenceFor({ zone }: Facts, unasked: readonly Lookup[]): Evidence[] {
  const firsts = new Map(unasked.toReversed().map((lookup) => [serverText(lookup.server), lookup]));
  if (firsts.size > 0) return [...firsts.values()].reverse().map((lookup) => evidenceOf(lookup));
  return [{ text: 'no name server known', command: digCommand(undefined, zone.registrable, 'NS') }];
}

function secondsText(durationMs: number): string {
  return `${String(Math.round(durationMs / 100) / 10)} s`;
}

function isCutShort({ outcome }: Lookup): boolean {
  return outcome === 'aborted';
}
