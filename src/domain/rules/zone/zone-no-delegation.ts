import { referralIn, soaIn } from '../../facts/classify.js';
import { digCommand, evidenceOf, recordText } from '../../views/evidence.js';
import { recordLabel } from '../../records/expected.js';
import type { CutFacts, Facts, ZoneFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Fix } from '../../finding/finding.js';
import { wantedText } from '../../records/fixes.js';
import { clipped, listed } from '../../finding/printable.js';

/** `zone.no-delegation`: the name is registered, but leads to no name server. */
export function zoneNoDelegation(facts: Facts): Finding[] {
  const { zone, servers } = facts;
  const { delegation, registrable, parentRecords: parentRecords = [] } = zone;
  if (parentRecords.length > 0) return [keptByRegistry(facts, parentRecords)];
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = servers.length === 0 && hosts.length > 0 && hosts.every((host) => hasNoAddress(zone, host));
  if (isDead) return [deadHosts(facts, hosts)];
  if (delegation?.outcome !== 'nodata') return [];
  return [
    finding(
      `${registrable} has no name servers, so no record of it can be found. Waiting will not help.`,
      fixAtRegistrar(registrable),
      [evidenceOf(delegation)],
    ),
  ];
}

function deadHosts(facts: Facts, hosts: readonly string[]): Finding {
  const { name, registrable, cut, delegation } = facts.zone;
  const zone = cut === undefined ? registrable : (referralIn(cut.referral.exchange)?.zone ?? name);
  const pointing = cut?.referral ?? delegation;
  return finding(
    `None of the name servers of ${zone} has an address: ${listed(hosts)}. Waiting will not help.`,
    cut === undefined ? fixAtRegistrar(registrable) : fixAbove(zone, hosts, cut),
    [
      {
        text: `Name servers of ${zone}: ${listed(hosts)}`,
        command: digCommand(pointing?.server, zone, 'NS', pointing?.server.host === undefined),
      },
      ...hosts.map((host): Evidence => ({
        text: `${host}: no address`,
        command: digCommand(undefined, host, 'A'),
      })),
    ],
  );
}

function fixAtRegistrar(registrable: string): Fix {
  const text = `At your registrar, enter the name servers of the provider that has your DNS for ${registrable}.`;
  return { action: 'other', text, records: [] };
}

/** As a rule nobody means such a name to be a zone. */
function fixAbove(zone: string, hosts: readonly string[], { parentZone: above }: CutFacts): Fix {
  const label = recordLabel(zone, above);
  return {
    action: 'remove',
    text: `In the zone ${above}, remove the NS records of ${label}, if ${zone} is to be no zone of its own; else enter there the name servers that have it.`,
    records: hosts.map((host) => ({ type: 'NS', name: zone, label, value: host })),
  };
}

/** Some registries, such as that of .de, answer for a domain themselves, with a few records of their own zone. */
function keptByRegistry(facts: Facts, kept: NonNullable<ZoneFacts['parentRecords']>): Finding {
  const { delegation, registrable } = facts.zone;
  const above = delegation && soaIn(delegation.exchange)?.name.toLowerCase();
  const records = kept.flatMap((lookup) => lookup.records.map(({ data }) => clipped(recordText(data), 60)));
  return finding(
    `${registrable} has no name servers of its own: the registry keeps its records in ${above ? `the zone ${above}` : 'the zone above it'}, which are ${listed(records)}. ` +
      'A CNAME or an ALIAS can not be made there, and waiting will not help.',
    {
      action: 'other',
      text: `At your registrar, enter the name servers of a DNS provider for ${registrable} instead of these records. There make those that you want to keep, and ${wantedText(facts)}.`,
      records: [],
    },
    [...(delegation === undefined ? [] : [delegation]), ...kept].map((lookup) => evidenceOf(lookup)),
  );
}

function finding(message: string, fix: Fix, evidence: readonly Evidence[]): Finding {
  return {
    id: 'zone.no-delegation',
    axis: 'zone',
    severity: 'block',
    message,
    fix,
    evidence,
  };
}

function hasNoAddress(zone: ZoneFacts, host: string): boolean {
  return zone.unresolvedHosts.includes(host);
}
