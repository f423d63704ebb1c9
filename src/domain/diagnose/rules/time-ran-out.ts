import { describeTimeLimit } from '../../../time/duration.js';
import { digEvidence, evidenceOf } from '../../gather/views/evidence.js';
import type { Facts } from '../../gather/facts/facts.js';
import { finding, type Axis, type Finding } from '../../report/finding.js';
import type { Lookup } from '../../gather/facts/lookup.js';
import { lookupsOf } from '../../gather/views/own-records.js';

/**
 * `time.ran-out`: the time limit ended the check before all queries were made. This proves nothing about the servers,
 * the network or the record. For the certificate and redirects, `cert.no-tls` and `redirect.missing` report it.
 */
export function timeRanOut(facts: Facts): Finding[] {
  const { ranOutAfterMs, servers, zone } = facts;
  if (ranOutAfterMs === undefined) return [];
  const isUndelegated = zone.delegation?.outcome !== 'nxdomain' && zone.delegation?.outcome !== 'nodata';
  const isZoneUnknown = servers.length === 0 && isUndelegated;
  const aborted = lookupsByAxis(facts).flatMap(([axis, lookups]) =>
    lookups.flatMap((lookup) => (lookup?.outcome === 'aborted' ? [{ axis, lookup }] : [])),
  );
  const hosts = isZoneUnknown || servers.length > 0 ? zone.failedHosts : [];
  if (aborted.length + hosts.length === 0 && !isZoneUnknown) return [];
  const [first] = aborted;
  return [
    finding('time.ran-out', 'unknown', {
      axis: hosts.length > 0 || isZoneUnknown ? 'zone' : (first?.axis ?? 'zone'),
      message: `The time limit of ${describeTimeLimit(ranOutAfterMs)} ended the check before all queries were made.`,
      fix: 'Allow more time with --timeout. The record itself may be correct.',
      evidence:
        first !== undefined
          ? [evidenceOf(first.lookup)]
          : [digEvidence('no name server known', undefined, zone.registrable, 'NS')],
    }),
  ];
}

/** The lookups by axis, most important first. */
function lookupsByAxis(facts: Facts): [Axis, readonly (Lookup | undefined)[]][] {
  const { zone, servers, relatedNames, platform, resolvers, dnssec, caa } = facts;
  const { wildcard, others = [], zoneMx, doubled, doubledControl, chainEnd } = relatedNames;
  const related = [wildcard?.lookup, ...others, zoneMx, doubled, doubledControl, chainEnd];
  const own = servers.flatMap((server) => [server.soa, ...lookupsOf(server), server.aRepeated]);
  const signed = dnssec.flatMap(({ ds, servers: signers }) => [
    ds,
    ...signers.flatMap(({ dnskey, record }) => [dnskey, record]),
  ]);
  return [
    ['zone', [zone.delegation]],
    ['record', [...own, ...related, platform.a, platform.aaaa]],
    ['propagation', resolvers.flatMap(({ a, aaaa }) => [a, aaaa])],
    ['zone', signed],
    ['caa', caa.steps.map(({ lookup }) => lookup)],
  ];
}
