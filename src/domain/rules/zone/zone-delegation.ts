import { referralIn, soaIn } from '../../facts/classify.js';
import { digCommand, evidenceOf, recordText } from '../../views/evidence.js';
import { recordLabel } from '../../records/expected.js';
import type { CutFacts, Facts, ZoneFacts } from '../../facts/facts.js';
import type { Lookup } from '../../facts/lookup.js';
import type { Evidence, Finding, Fix } from '../../finding/finding.js';
import { expectedText } from '../../records/fixes.js';
import { clipped, listed } from '../../finding/printable.js';
import { isTypedAddress } from '../../views/typed-address.js';

/** `zone.not-registered`: the parent zone says that the registrable domain does not exist. */
export function zoneNotRegistered({ zone }: Facts): Finding[] {
  if (zone.delegation?.outcome !== 'nxdomain') return [];
  const missingTld = missingTopLevelDomain(zone.delegation);
  return [
    {
      id: 'zone.not-registered',
      axis: 'zone',
      severity: 'block',
      message:
        missingTld === undefined
          ? `${zone.registrable} is not registered, or its registration has expired.`
          : `The top-level domain .${missingTld} does not exist, so ${zone.registrable} can't exist.`,
      fix: {
        action: 'other',
        text:
          missingTld !== undefined
            ? `Check the spelling of the ending .${missingTld}.`
            : `Check the spelling of ${zone.registrable}. If it is right, check at your registrar that you own it and that it is paid for.`,
        records: [],
      },
      evidence: [evidenceOf(zone.delegation)],
    },
  ];
}

/** The top-level domain, if the root zone itself denies it. */
function missingTopLevelDomain({ exchange, question }: Lookup): string | undefined {
  return soaIn(exchange)?.name === '' ? question.name.split('.').at(-1) : undefined;
}

/** `zone.no-delegation`: the domain is registered but has no working name servers. */
export function zoneNoDelegation(facts: Facts): Finding[] {
  const { zone, servers } = facts;
  const { delegation, registrable, parentRecords = [] } = zone;
  if (parentRecords.length > 0) return [servedByRegistry(facts, parentRecords)];
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = servers.length === 0 && hosts.length > 0 && hosts.every((host) => hasNoAddress(zone, host));
  if (isDead) return [hostsWithoutAddress(facts, hosts)];
  if (delegation?.outcome !== 'nodata') return [];
  return [
    finding(
      `${registrable} has no name servers, so its records can't be found.`,
      fixAtRegistrar(registrable),
      [evidenceOf(delegation)],
    ),
  ];
}

function hostsWithoutAddress(facts: Facts, hosts: readonly string[]): Finding {
  const { name, registrable, cut, delegation } = facts.zone;
  const zone = cut === undefined ? registrable : (referralIn(cut.referral.exchange)?.zone ?? name);
  const delegating = cut?.referral ?? delegation;
  const typed = hosts.filter(isTypedAddress);
  const mistake =
    typed.length === 0
      ? ''
      : ` ${listed(typed)} is an IP address, but name servers are entered by their host names.`;
  return finding(
    `None of the name servers of ${zone} has an address: ${listed(hosts, 4)}.${mistake}`,
    cut === undefined ? fixAtRegistrar(registrable) : fixAbove(zone, hosts, cut),
    [
      {
        text: `Name servers of ${zone}: ${listed(hosts)}`,
        command: digCommand(delegating?.server, zone, 'NS', delegating?.server.host === undefined),
      },
      ...hosts.map((host): Evidence => ({
        text: `${host}: no address`,
        command: digCommand(undefined, host, 'A'),
      })),
    ],
  );
}

function fixAtRegistrar(registrable: string): Fix {
  const text = `At your registrar, enter the name servers of your DNS provider for ${registrable}.`;
  return { action: 'other', text, records: [] };
}

/** The fix for a zone below. Removing its NS records comes first, because they are mostly a mistake. */
function fixAbove(zone: string, hosts: readonly string[], { parentZone }: CutFacts): Fix {
  const label = recordLabel(zone, parentZone);
  return {
    action: 'remove',
    text: `In the zone ${parentZone}, remove the NS records of ${label}. Or, if ${zone} is a zone of its own, enter its name servers there.`,
    records: hosts.map((host) => ({ type: 'NS', name: zone, label, value: host })),
  };
}

/** Some registries, such as the one of .de, serve a few records of a domain from their own zone. */
function servedByRegistry(facts: Facts, records: NonNullable<ZoneFacts['parentRecords']>): Finding {
  const { delegation, registrable } = facts.zone;
  const above = delegation && soaIn(delegation.exchange)?.name.toLowerCase();
  const texts = records.flatMap((lookup) => lookup.records.map(({ data }) => clipped(recordText(data), 60)));
  return finding(
    `${registrable} has no name servers of its own. The registry serves its records from ${above ? `the zone ${above}` : 'the zone above it'}: ${listed(texts)}. ` +
      'A CNAME or ALIAS is not possible there.',
    {
      action: 'other',
      text: `At your registrar, replace these records with the name servers of a DNS provider for ${registrable}. At that provider, add the records that you want to keep, and ${expectedText(facts)}.`,
      records: [],
    },
    [...(delegation === undefined ? [] : [delegation]), ...records].map((lookup) => evidenceOf(lookup)),
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
