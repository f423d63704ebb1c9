import { digCommand, recordText, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { expectedText } from '../../records/fixes.js';
import { ownAddresses } from '../../views/own-records.js';
import { aliasesAt, areSplit, reachedServers, serverView } from '../../views/server-view.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `zone.split-providers`: servers of two providers serve different zones of the same name. A record at one provider is
 * never copied to the other. While no server has the record, a warning: it is needed at both.
 */
export function zoneSplitProviders(facts: Facts): Finding[] {
  const right = reachedServers(facts).filter((server) => serverView(facts, server) === 'right');
  const lacking = reachedServers(facts).filter((server) => serverView(facts, server) !== 'right');
  const [first] = lacking;
  if (first === undefined) return [];
  if (right.length === 0) {
    const others = lacking.filter((server) => areSplit(first, server));
    const own = lacking.filter((server) => !others.includes(server));
    return others.length === 0 ? [] : [withoutRecord(facts, own, others)];
  }
  const split = lacking.filter((server) => right.every((one) => areSplit(one, server)));
  return split.length === 0 ? [] : [lackingRecord(facts, right, split)];
}

function lackingRecord(
  facts: Facts,
  right: readonly ServerFacts[],
  lacking: readonly ServerFacts[],
): Finding {
  const { zone } = facts;
  return finding(facts, [right, lacking], {
    severity: 'block',
    text: `${listed(lacking.map((server) => lackText(facts, server)))}.`,
    fix: `At the provider of ${hostsText(lacking)}, set the same record: ${expectedText(facts)}. Or remove ${hostsText(lacking)} from the list of name servers ${serverListText(zone)}.`,
  });
}

function withoutRecord(facts: Facts, own: readonly ServerFacts[], others: readonly ServerFacts[]): Finding {
  const { zone } = facts;
  return finding(facts, [own, others], {
    severity: 'warn',
    text: 'A record at one of them is not copied to the other.',
    fix: `Set the record at both providers. Or keep the servers of one provider in the list of name servers ${serverListText(zone)}.`,
  });
}

/** What a server has instead of the right record. */
function lackText(facts: Facts, server: ServerFacts): string {
  const host = server.server.host ?? server.server.address;
  const records = [...aliasesAt(facts, server), ...ownAddresses(facts, server)];
  const name = facts.domain.unicode;
  return records.length === 0
    ? `${host} has no record of ${name}`
    : `${host} has ${listed(records.map(({ data }) => recordText(data)))} for ${name}`;
}

function finding(
  facts: Facts,
  groups: readonly [readonly ServerFacts[], readonly ServerFacts[]],
  { severity, text, fix }: { severity: Finding['severity']; text: string; fix: string },
): Finding {
  const { name } = facts.zone;
  const [one, other] = groups.map(zoneText);
  return {
    id: 'zone.split-providers',
    axis: 'zone',
    severity,
    message: `Two providers serve ${name}, each with its own records: ${one ?? ''}, and ${other ?? ''}. ${text}`,
    fix: { action: 'other', text: fix, records: [] },
    evidence: groups.flat().map((server) => ({
      text: `${serverText(server.server)}: SOA ${soaText(server)}`,
      command: digCommand(server.server, name, 'SOA'),
    })),
  };
}

function zoneText(servers: readonly ServerFacts[]): string {
  return `${hostsText(servers)} (SOA ${listed([...new Set(servers.map(soaText))])})`;
}

function hostsText(servers: readonly ServerFacts[]): string {
  return listed([...new Set(servers.map(({ server }) => server.host ?? server.address))]);
}

function soaText({ zoneSoa }: ServerFacts): string {
  return zoneSoa === undefined ? 'unknown' : `${zoneSoa.primary}, serial ${String(zoneSoa.serial)}`;
}
