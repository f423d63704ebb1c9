import { digEvidence, evidenceOfAll, serverText } from '../views/evidence.js';
import type { Facts, ServerFacts } from '../facts/facts.js';
import { finding, type Axis, type Evidence, type Finding } from '../finding/finding.js';
import type { Lookup } from '../facts/lookup.js';
import { listed } from '../finding/printable.js';

/**
 * `time.ran-out`: the time limit ended the check before all queries were made. This proves nothing about the servers,
 * the network or the record. For the certificate and redirects, `cert.no-tls` and `redirect.missing` report it.
 */
export function timeRanOut(facts: Facts): Finding[] {
  const { ranOutAfterMs, servers, zone } = facts;
  if (ranOutAfterMs === undefined) return [];
  const aborted = lookupsByAxis(facts).flatMap(({ axis, lookups }) =>
    lookups.flatMap((lookup) => (lookup?.outcome === 'aborted' ? [{ axis, lookup }] : [])),
  );
  const lookups = aborted.map(({ lookup }) => lookup);
  const isZoneUnknown = servers.length === 0 && isUndelegated(facts);
  const hosts = isZoneUnknown || servers.length > 0 ? zone.failedHosts : [];
  if (lookups.length + hosts.length === 0 && !isZoneUnknown) return [];
  const missing = [
    ...typesByServer(lookups),
    ...(hosts.length === 0 ? [] : [`the addresses of ${listed(hosts)}`]),
    ...(isZoneUnknown && lookups.length + hosts.length === 0
      ? [`the name servers of ${zone.registrable}`]
      : []),
  ];
  return finding('time.ran-out', 'unknown', {
    axis: hosts.length > 0 || isZoneUnknown ? 'zone' : (aborted[0]?.axis ?? 'zone'),
    message: `The time limit of ${limitText(ranOutAfterMs)} ended the check. ${progressText(servers)} Not completed: ${listed(missing)}.`,
    fix: 'Allow more time with --timeout. The record itself may be correct.',
    evidence: evidenceFor(facts, lookups),
  });
}

type Lookups = readonly (Lookup | undefined)[];

/** The lookups by axis, most important first. */
function lookupsByAxis(facts: Facts): { axis: Axis; lookups: Lookups }[] {
  const { zone, servers, relatedNames, platform, resolvers, dnssec, caa } = facts;
  const { wildcard, others = [], zoneMx, doubled, doubledControl, chainEnd } = relatedNames;
  const related = [wildcard?.lookup, ...others, zoneMx, doubled, doubledControl, chainEnd];
  const signed = dnssec.flatMap(({ ds, servers: signers }) => [
    ds,
    ...signers.flatMap(({ dnskey, record }) => [dnskey, record]),
  ]);
  return [
    { axis: 'zone', lookups: [zone.delegation] },
    { axis: 'record', lookups: [...servers.flatMap(lookupsAtServer), ...related, platform.a, platform.aaaa] },
    { axis: 'propagation', lookups: resolvers.flatMap(({ a, aaaa }) => [a, aaaa]) },
    { axis: 'zone', lookups: signed },
    { axis: 'caa', lookups: caa.steps.map(({ lookup }) => lookup) },
  ];
}

function lookupsAtServer({ soa, ns, cname, a, aaaa, mx, txt, https, aRepeated }: ServerFacts): Lookups {
  return [soa, ns, cname, a, aaaa, mx, txt, https, aRepeated];
}

/** Whether the parent has not yet reported if the zone exists. */
function isUndelegated({ zone }: Facts): boolean {
  const { delegation } = zone;
  return delegation?.outcome !== 'nxdomain' && delegation?.outcome !== 'nodata';
}

/** `ns1.example.net (192.0.2.1) for A and AAAA`. */
function typesByServer(lookups: readonly Lookup[]): string[] {
  const names = [...new Set(lookups.map(({ server }) => serverText(server)))];
  return names.map((name) => {
    const own = lookups.filter(({ server }) => serverText(server) === name);
    return `${name} for ${listed([...new Set(own.map(({ question }) => question.type))])}`;
  });
}

function progressText(servers: readonly ServerFacts[]): string {
  const completed = servers.filter(
    (server) => !lookupsAtServer(server).some((lookup) => lookup?.outcome === 'aborted'),
  );
  if (servers.length === 0) return 'No name server of the zone was found yet.';
  if (completed.length === 0) return 'No name server of the zone had responded yet.';
  return `Completed: ${listed(completed.map(({ server }) => serverText(server)))}.`;
}

/** The first query to each server, instead of all of them. */
function evidenceFor({ zone }: Facts, lookups: readonly Lookup[]): Evidence[] {
  const firsts = new Map(lookups.toReversed().map((lookup) => [serverText(lookup.server), lookup]));
  if (firsts.size > 0) return evidenceOfAll([...firsts.values()].reverse());
  return [digEvidence('no name server known', undefined, zone.registrable, 'NS')];
}

function limitText(durationMs: number): string {
  if (durationMs < 1_000) return `${String(Math.round(durationMs))} ms`;
  return `${String(Math.round(durationMs / 100) / 10)} s`;
}
