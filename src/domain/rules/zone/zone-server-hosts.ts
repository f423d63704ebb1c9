import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { digCommand } from '../../views/evidence.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `zone.lame-ns`: a name server host that is an alias, which is forbidden (RFC 2181, section 10.3). `zone.ns-mismatch`: a
 * name server host with another address at the parent (glue) than in the zone.
 */
export function zoneServerHosts(facts: Facts): Finding[] {
  const { aliasHosts = [], glueDifferences = [] } = facts.zone;
  return [
    ...(aliasHosts.length === 0 ? [] : [aliases(facts, aliasHosts)]),
    ...(glueDifferences.length === 0 ? [] : [outdatedGlue(facts, glueDifferences)]),
  ];
}

function aliases({ zone }: Facts, hosts: NonNullable<Facts['zone']['aliasHosts']>): Finding {
  const texts = hosts.map(({ host, target }) => `${host} is an alias of ${target}`);
  return {
    id: 'zone.lame-ns',
    axis: 'zone',
    severity: 'warn',
    message: `A name server of ${zone.name} must not be a CNAME: ${listed(texts)}. Some resolvers can't use it.`,
    fix: {
      action: 'other',
      text: `In the list of name servers ${serverListText(zone)}, enter ${listed(hosts.map(({ target }) => target))} instead of ${listed(hosts.map(({ host }) => host))}. Or give ${listed(hosts.map(({ host }) => host))} an A record instead of the CNAME.`,
      records: [],
    },
    evidence: hosts.map(({ host, target }) => ({
      text: `${host} CNAME ${target}`,
      command: digCommand(undefined, host, 'CNAME'),
    })),
  };
}

function outdatedGlue(facts: Facts, differences: NonNullable<Facts['zone']['glueDifferences']>): Finding {
  const { name, delegation, cut } = facts.zone;
  const texts = differences.map(
    ({ host, atParent, inZone }) => `${host} is ${listed(atParent)}, but ${listed(inZone)} in the zone`,
  );
  const isRegistrars = name === facts.zone.registrable;
  const server = (cut?.referral ?? delegation)?.server;
  return {
    id: 'zone.ns-mismatch',
    axis: 'zone',
    severity: 'warn',
    message: `The parent zone has another address of a name server (glue): ${listed(texts)}. Resolvers may query the wrong server.`,
    fix: {
      action: 'other',
      text: `${isRegistrars ? 'At your registrar, under "Host records" or "Glue records"' : `In the zone above ${name}`}, set ${listed(differences.map(({ host, inZone }) => `${host} to ${listed(inZone)}`))}. If the address in the zone is wrong, correct that one.`,
      records: [],
    },
    evidence: differences.map(({ host, atParent }) => ({
      text: `Parent zone: ${host} ${listed(atParent)}`,
      command: digCommand(server, name, 'NS', server?.host === undefined),
    })),
  };
}
