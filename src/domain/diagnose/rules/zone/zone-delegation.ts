import { referralIn, soaIn } from '../../../gather/facts/classify.js';
import { digEvidence, evidenceOf } from '../../../gather/views/evidence.js';
import { recordLabel } from '../../../advice/expected.js';
import { fixOf } from '../../../advice/words.js';
import type { CutFacts, Facts, ZoneFacts } from '../../../gather/facts/facts.js';
import { finding, type Finding, type Fix } from '../../../report/finding.js';
import { listed } from '../../../names/printable.js';
import { isRightAtDecisiveServers } from '../../../gather/views/server-view.js';
import { hostEvidence, isTypedAddress } from './zone-servers.js';

/** `zone.not-registered`: the parent zone says that the registrable domain does not exist. */
export function zoneNotRegistered({ zone }: Facts): Finding[] {
  if (zone.delegation?.outcome !== 'nxdomain') return [];
  const { exchange, question } = zone.delegation;
  // The root zone itself denies the top-level domain.
  const missingTld = soaIn(exchange)?.name === '.' ? question.name.split('.').at(-1) : undefined;
  const evidence = [evidenceOf(zone.delegation)];
  return missingTld === undefined
    ? [
        finding('zone.not-registered', 'block', {
          message: `${zone.registrable} is not registered, or its registration has expired.`,
          fix: [
            `At your registrar, check that you own ${zone.registrable} and that it is paid for.`,
            'First check its spelling.',
          ],
          evidence,
        }),
      ]
    : [
        finding('zone.not-registered', 'block', {
          message: `The top-level domain .${missingTld} does not exist, so ${zone.registrable} can't exist.`,
          fix: `Check the spelling of the ending .${missingTld}.`,
          evidence,
        }),
      ];
}

/**
 * `zone.not-registered`, `zone.no-delegation`: the registrar holds the domain, or a service parks it. Records can be set
 * only after the owner has renewed it, or has entered other name servers.
 */
export function zoneOnHold(facts: Facts): Finding[] {
  const { zone, provider = {}, servers } = facts;
  const { holdingHosts = [], parking } = provider;
  const name = zone.registrable;
  if (isRightAtDecisiveServers(facts) || zone.cut !== undefined) return [];
  const delegating = zone.delegation?.server;
  const hosts = listed(zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts, 4);
  const isResolver = delegating?.host === undefined;
  const evidence = [digEvidence(`Name servers of ${name}: ${hosts}`, delegating, name, 'NS', isResolver)];
  const severity = servers.length > 0 ? 'block' : 'warn';
  const first = `At your registrar, check whether ${name} has expired or is suspended.`;
  if (holdingHosts.length > 0) {
    return [
      finding('zone.not-registered', severity, {
        message: `The registration of ${name} has probably expired or is suspended. The names of its name servers say so: ${hosts}.`,
        fix: [
          first,
          'Renew or reactivate it first, for example by confirming your contact details. Records have no effect before.',
        ],
        evidence,
      }),
    ];
  }
  if (parking === undefined) return [];
  return [
    finding('zone.no-delegation', severity, {
      message: `The name servers of ${name} belong to ${parking.name}, which parks domains (as of ${parking.date}).`,
      fix: [
        first,
        'If so, renew or reactivate it first. Otherwise, enter the name servers of your DNS provider there.',
      ],
      evidence,
    }),
  ];
}

/** `zone.no-delegation`: the domain is registered but has no working name servers. */
export function zoneNoDelegation(facts: Facts): Finding[] {
  const { zone, servers } = facts;
  const { delegation, registrable, unresolvedHosts } = zone;
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead =
    servers.length === 0 && hosts.length > 0 && hosts.every((host) => unresolvedHosts.includes(host));
  if (isDead) return hostsWithoutAddress(zone, hosts);
  if (delegation?.outcome !== 'nodata') return [];
  return [
    finding('zone.no-delegation', 'block', {
      message: `${registrable} has no name servers, so its records can't be found.`,
      fix: [
        registrarFix(registrable),
        'Some registries serve records themselves: copy these to that provider first.',
      ],
      evidence: [evidenceOf(delegation)],
    }),
  ];
}

function registrarFix(registrable: string): string {
  return `At your registrar, enter the name servers of your DNS provider for ${registrable}.`;
}

function hostsWithoutAddress(facts: ZoneFacts, hosts: readonly string[]): Finding[] {
  const { name, registrable, cut, delegation } = facts;
  const zone = cut === undefined ? registrable : (referralIn(cut.referral.exchange)?.zone ?? name);
  const delegating = (cut?.referral ?? delegation)?.server;
  const isResolver = delegating?.host === undefined;
  const typed = hosts.filter(isTypedAddress);
  const mistake =
    typed.length === 0
      ? ''
      : ` ${listed(typed)} is an IP address, but name servers are entered by their host names.`;
  return [
    finding('zone.no-delegation', 'block', {
      message: `None of the name servers of ${zone} has an address: ${listed(hosts, 4)}.${mistake}`,
      fix: cut === undefined ? registrarFix(registrable) : removeDelegation(zone, hosts, cut),
      evidence: [
        digEvidence(`Name servers of ${zone}: ${listed(hosts)}`, delegating, zone, 'NS', isResolver),
        ...hosts.map((host) => hostEvidence(host, 'no address')),
      ],
    }),
  ];
}

/** The fix for a zone below. Removing its NS records comes first, because they are mostly a mistake. */
function removeDelegation(zone: string, hosts: readonly string[], { parentZone }: CutFacts): Fix {
  const label = recordLabel(zone, parentZone);
  const text = `If ${zone} is a zone of its own, enter its name servers in the zone ${parentZone}.`;
  return fixOf({
    action: 'remove',
    first: [{ kind: 'unless', text }],
    step: `Remove the NS records of ${label} there.`,
    remove: hosts.map((host) => ({ type: 'NS', name: zone, label, value: host })),
  });
}
