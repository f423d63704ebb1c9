import { aliasEvidence } from './alias-evidence.js';
import { isKnown } from '../facts/lookup.js';
import { ownAddresses, ownRecords, sharedLookups } from './own-records.js';
import type { Facts, ServerFacts } from '../facts/facts.js';
import { memoize } from './memoize.js';
import type { DnsRecord } from '../resolver/dns.js';
import { isFromWildcard } from './wildcard.js';

/** What one authoritative server says of the domain, in a word. */
export type ServerView =
  | 'right'
  /** No alias and no address, or only such as a wildcard gives, and they lead elsewhere. */
  | 'absent'
  | 'wrong'
  /** Addresses at an apex, and the target's are not known to compare them with. */
  | 'incomparable'
  /** It could not be asked. */
  | 'unknown';

/** The CNAME records at the domain itself by this server; more than one is an error that some servers serve. */
export function aliasesAt(facts: Facts, server: ServerFacts): readonly DnsRecord[] {
  return aliasesByServer(facts).get(server) ?? findAliases(facts, server);
}

const aliasesByServer = memoize(
  (facts: Facts) => new Map(facts.servers.map((server) => [server, findAliases(facts, server)])),
);

function findAliases(facts: Facts, server: ServerFacts): DnsRecord[] {
  const seen = [...server.cname.records, ...server.cname.chain, ...server.a.chain, ...server.aaaa.chain];
  const own = seen.filter(
    ({ name, data }) => data.type === 'CNAME' && name.toLowerCase() === facts.domain.ascii,
  );
  return own.filter(
    (record, index) => own.findIndex((other) => aliasTarget(other) === aliasTarget(record)) === index,
  );
}

/** Where a CNAME points, in lower case; the empty string for any other record. */
export function aliasTarget(record: DnsRecord): string {
  return record.data.type === 'CNAME' ? record.data.target.toLowerCase() : '';
}

export function serverView(facts: Facts, server: ServerFacts): ServerView {
  return viewsByServer(facts).get(server) ?? judge(facts, server);
}

const viewsByServer = memoize(
  (facts: Facts) => new Map(facts.servers.map((server) => [server, judge(facts, server)])),
);

function judge(facts: Facts, server: ServerFacts): ServerView {
  return facts.zone.kind === 'apex' ? apexView(facts, server) : subdomainView(facts, server);
}

/**
 * The servers that the parent names, for visitors come to no others; all, where the parent's list is not known or none of
 * it was found. A server that only the zone itself lists is information.
 */
export const delegatedServers = memoize(({ servers, zone }: Facts): readonly ServerFacts[] => {
  const delegated = servers.filter((server) => isListed(server, zone.parentHosts));
  return delegated.length > 0 ? delegated : servers;
});

/** Delegated servers that answered for the record, whatever they said. */
export const reachedServers = memoize((facts: Facts): readonly ServerFacts[] =>
  delegatedServers(facts).filter((server) => serverView(facts, server) !== 'unknown'),
);

/**
 * Whether two servers should have copies of one zone. A server of the parent's that the zone does not list is as a rule
 * another provider's, whose zone has serial numbers of its own.
 */
export function areCopies({ zone }: Facts, one: ServerFacts, other: ServerFacts): boolean {
  return isListed(one, zone.ownHosts) === isListed(other, zone.ownHosts);
}

/**
 * The servers whose word counts: of those that answered, the ones with the newest copy of their zone; of these, where
 * they disagree, the ones that have it right, for the others are a matter of `record.partial`.
 */
export const judgedServers = memoize((facts: Facts): readonly ServerFacts[] => {
  const newest = newestCopies(facts);
  const right = newest.filter((server) => serverView(facts, server) === 'right');
  return right.length > 0 ? right : newest;
});

/** Servers that answered, and lack what the judged ones have right. */
export const laggingServers = memoize((facts: Facts): readonly ServerFacts[] => {
  const judged = judgedServers(facts);
  if (!judged.some((server) => serverView(facts, server) === 'right')) return [];
  return reachedServers(facts).filter(
    (server) => !judged.includes(server) && serverView(facts, server) !== 'right',
  );
});

/** Whether the record is right by every server whose word counts. */
export function isRecordRight(facts: Facts): boolean {
  const judged = judgedServers(facts);
  return judged.length > 0 && judged.every((server) => serverView(facts, server) === 'right');
}

/** Serial numbers go round (RFC 1982, section 3.2). */
export function isNewerSerial(serial: number, than: number): boolean {
  const ahead = (serial - than) >>> 0;
  return ahead > 0 && ahead < 0x8000_0000;
}

/** Whether a server's copy of the zone has an older serial number than another's; a matter of copies alone. */
export function isOlderCopy({ zoneSoa: own }: ServerFacts, { zoneSoa: other }: ServerFacts): boolean {
  return own !== undefined && other !== undefined && isNewerSerial(other.serial, own.serial);
}

function newestCopies(facts: Facts): ServerFacts[] {
  const reached = reachedServers(facts);
  return reached.filter(
    (server) => !reached.some((other) => areCopies(facts, server, other) && isOlderCopy(server, other)),
  );
}

/** Whether its host is among them. */
export function isListed({ server }: ServerFacts, hosts: readonly string[]): boolean {
  return hosts.some((host) => host.toLowerCase() === server.host?.toLowerCase());
}

function subdomainView(facts: Facts, server: ServerFacts): ServerView {
  const aliases = aliasesAt(facts, server);
  if (aliases.length > 1) return 'wrong';
  const [alias] = aliases;
  if (alias !== undefined) {
    const alone = recordsNextToAlias(facts, server).length === 0;
    if (alone && leadsToTarget(facts, server, aliasTarget(alias))) return 'right';
    return isFromWildcard(facts, server.server) ? 'absent' : 'wrong';
  }
  if (!isKnown(server.cname)) return 'unknown';
  if (ownAddresses(facts, server).length > 0) {
    return aliasEvidence(facts, [server]) === 'proved' ? 'right' : 'wrong';
  }
  return isSilentOnAddresses(server) ? 'unknown' : 'absent';
}

function apexView(facts: Facts, server: ServerFacts): ServerView {
  if (aliasesAt(facts, server).length > 0) return 'wrong';
  if (isSilentOnAddresses(server)) return 'unknown';
  if (ownAddresses(facts, server).length === 0) return 'absent';
  const evidence = aliasEvidence(facts, [server]);
  if (evidence === 'incomparable') return 'incomparable';
  return evidence === 'mismatch' ? 'wrong' : 'right';
}

/** What lies beside a CNAME, where nothing may (RFC 1034, section 3.6.2). */
export function recordsNextToAlias(facts: Facts, server: ServerFacts): DnsRecord[] {
  if (aliasesAt(facts, server).length === 0) return [];
  const lookups = [server.a, server.aaaa, server.mx, server.txt, server.https, ...sharedLookups(facts)];
  return lookups.flatMap((lookup) => ownRecords(facts, lookup));
}

function leadsToTarget(facts: Facts, server: ServerFacts, first: string): boolean {
  if (first === facts.target) return true;
  const { chain } = facts.relatedNames;
  const followed = chain[0]?.to.toLowerCase() === first ? chain.map((step) => step.to.toLowerCase()) : [];
  return [...followed, ...server.a.chain.map(aliasTarget)].includes(facts.target);
}

function isSilentOnAddresses(server: ServerFacts): boolean {
  return !isKnown(server.a) || !isKnown(server.aaaa);
}

/**
 * Whether every authoritative server that responded has the right record, and at least one did. Only then are resolvers
 * queried: they cache an absence (RFC 2308). A server that is merely behind counts too, for a resolver may query it.
 */
export function recordMatches(facts: Facts): boolean {
  const reached = reachedServers(facts);
  return reached.length > 0 && reached.every((server) => serverView(facts, server) === 'right');
}
