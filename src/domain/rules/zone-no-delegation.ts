import { soaIn } from '../classify.js';
import { digCommand, evidenceOf, recordText } from '../evidence.js';
import type { Facts, ZoneFacts } from '../facts.js';
import type { Evidence, Finding } from '../finding.js';
import { wantedText } from '../fixes.js';
import { clipped, listed } from '../printable.js';

/** `zone.no-delegation`: the name is registered, but leads to no name server. */
export function zoneNoDelegation(facts: Facts): Finding[] {
  const { zone, servers } = facts;
  const { delegation, registrable, keptByParent = [] } = zone;
  if (keptByParent.length > 0) return [keptByRegistry(facts, keptByParent)];
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = servers.length === 0 && hosts.length > 0 && hosts.every((host) => hasNoAddress(zone, host));
  if (delegation?.outcome !== 'nodata' && !isDead) return [];
  return [
    finding(
      isDead
        ? `None of the name servers of ${registrable} has an address: ${listed(hosts)}. Waiting will not help.`
        : `${registrable} has no name servers, so no record of it can be found. Waiting will not help.`,
      `At your registrar, enter the name servers of the provider that has your DNS for ${registrable}.`,
      delegation === undefined
        ? [{ text: `Name servers: ${listed(hosts)}`, command: digCommand(undefined, registrable, 'NS') }]
        : [evidenceOf(delegation)],
    ),
  ];
}

/** Some registries, such as that of .de, answer for a domain themselves, with a few records of their own zone. */
function keptByRegistry(facts: Facts, kept: NonNullable<ZoneFacts['keptByParent']>): Finding {
  const { delegation, registrable } = facts.zone;
  const above = delegation && soaIn(delegation.exchange)?.name.toLowerCase();
  const records = kept.flatMap((lookup) => lookup.records.map(({ data }) => clipped(recordText(data), 60)));
  return finding(
    `${registrable} has no name servers of its own: the registry keeps its records in ${above ? `the zone ${above}` : 'the zone above it'}, which are ${listed(records)}. ` +
      'A CNAME or an ALIAS can not be made there, and waiting will not help.',
    `At your registrar, enter the name servers of a DNS provider for ${registrable} instead of these records. There make those that you want to keep, and ${wantedText(facts)}.`,
    [...(delegation === undefined ? [] : [delegation]), ...kept].map((lookup) => evidenceOf(lookup)),
  );
}

function finding(message: string, fix: string, evidence: readonly Evidence[]): Finding {
  return {
    id: 'zone.no-delegation',
    axis: 'zone',
    severity: 'block',
    message,
    fix: { action: 'other', text: fix, records: [] },
    evidence,
  };
}

function hasNoAddress(zone: ZoneFacts, host: string): boolean {
  return zone.unresolvedHosts.includes(host);
}
