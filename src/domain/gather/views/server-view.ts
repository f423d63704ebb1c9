import { aliasEvidence } from './alias-origin.js';
import { isFromWildcard, lookupsOf, ownAddresses, ownRecords, sharedLookups } from './own-records.js';
import { wrongDenials } from './denials.js';
import { memoizeEach, memoizeLast } from './memoize.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { registrableOf } from '../../names/name.js';
import type { Facts, ServerFacts, ServerRecords } from '../facts/facts.js';
import type { DnsRecord, SoaData } from '../../dns/dns.js';

/** The state of the domain at one authoritative server. */
export type ServerView =
  | 'right'
  /** No alias and no address, except from a wildcard with another target. */
  | 'absent'
  | 'wrong'
  /** An apex with addresses that can't be compared: the target's are unknown, or an ALIAS gets others. */
  | 'incomparable'
  /** The queries failed. */
  | 'unknown';

/** The CNAME records of the domain itself at this server. More than one is an error that some servers allow. */
export const aliasesAt = memoizeEach(
  ({ servers }) => servers,
  (facts, server: ServerFacts): readonly DnsRecord[] => {
    const own = lookupsOf(server).flatMap((lookup) => aliasesIn(facts, lookup));
    return own.filter(
      (record, index) => own.findIndex((other) => aliasTarget(other) === aliasTarget(record)) === index,
    );
  },
);

/** The CNAME records of the domain itself in a response of any type. */
export function aliasesIn({ domain }: Facts, { records, chain }: Lookup): DnsRecord[] {
  return [...records, ...chain].filter(
    ({ name, data }) => data.type === 'CNAME' && name.toLowerCase() === domain.ascii,
  );
}

/** The target of a CNAME record, in lower case; the empty string for other records. */
export function aliasTarget(record: DnsRecord): string {
  return record.data.type === 'CNAME' ? record.data.target.toLowerCase() : '';
}

/** Returns the state of the domain at one server. */
export const serverView = memoizeEach(
  ({ servers }) => servers,
  (facts, server: ServerFacts): ServerView =>
    facts.zone.kind === 'apex' ? apexView(facts, server) : subdomainView(facts, server),
);

/**
 * The servers that the parent lists, because resolvers use only these. All servers, if the parent's list is unknown or
 * has no server with an address.
 */
export const delegatedServers = memoizeLast(({ servers, zone }: Facts): readonly ServerFacts[] => {
  const delegated = servers.filter((server) => isListed(server, zone.parentHosts));
  return delegated.length > 0 ? delegated : servers;
});

/** Delegated servers that responded to the queries for the record, with or without it. */
export const reachedServers = memoizeLast((facts: Facts): readonly ServerFacts[] =>
  delegatedServers(facts).filter((server) => serverView(facts, server) !== 'unknown'),
);

/**
 * Whether two servers should have copies of the same zone. A server that the parent lists and the zone
 * does not list mostly belongs to another provider, with its own serial numbers.
 */
export function areCopies({ zone }: Facts, one: ServerFacts, other: ServerFacts): boolean {
  return isListed(one, zone.ownHosts) === isListed(other, zone.ownHosts) && !areSplit(one, other);
}

/** Whether two servers have zones of different providers, by their host names and SOA records. */
export function areSplit(one: ServerFacts, other: ServerFacts): boolean {
  if (one.zoneSoa === undefined || other.zoneSoa === undefined) return false;
  const [provider, otherProvider] = [one, other].map(({ server }) => registrableOf(server.host ?? ''));
  return areUnrelatedZones(one.zoneSoa, other.zoneSoa, provider !== otherProvider);
}

/**
 * The decisive servers: those with the newest copy of their zone. If these disagree, only those with the right
 * record; the others are reported as `record.partial`.
 */
export const decisiveServers = memoizeLast((facts: Facts): readonly ServerFacts[] => {
  const newest = newestCopies(facts);
  const right = newest.filter((server) => serverView(facts, server) === 'right');
  return right.length > 0 ? right : newest;
});

/** Servers that responded without the right record, while the decisive ones have it. */
export const laggingServers = memoizeLast((facts: Facts): readonly ServerFacts[] => {
  const decisive = decisiveServers(facts);
  if (!decisive.some((server) => serverView(facts, server) === 'right')) return [];
  return reachedServers(facts).filter(
    (server) => !decisive.includes(server) && serverView(facts, server) !== 'right',
  );
});

/** The CNAME records of the domain itself at its decisive servers. */
export function decisiveAliases(facts: Facts): DnsRecord[] {
  return decisiveServers(facts).flatMap((server) => aliasesAt(facts, server));
}

/** The A and AAAA records of the domain itself at its decisive servers. */
export function decisiveAddresses(facts: Facts): DnsRecord[] {
  return decisiveServers(facts).flatMap((server) => ownAddresses(facts, server));
}

/** Whether the record is right at every decisive server. */
export function isRightAtDecisiveServers(facts: Facts): boolean {
  return isDecided(facts, 'right');
}

/** Whether no decisive server has an alias or an address of the domain itself. */
export function isAbsent(facts: Facts): boolean {
  return isDecided(facts, 'absent');
}

function isDecided(facts: Facts, view: ServerView): boolean {
  const decisive = decisiveServers(facts);
  return decisive.length > 0 && decisive.every((server) => serverView(facts, server) === view);
}

/** Whether a server's copy of the zone is older than another's. Meaningful only if {@link areCopies}. */
export function isOlderCopy({ zoneSoa: own }: ServerRecords, { zoneSoa: other }: ServerRecords): boolean {
  return own !== undefined && other !== undefined && isNewerSerial(other.serial, own.serial);
}

function newestCopies(facts: Facts): ServerFacts[] {
  const reached = reachedServers(facts);
  return reached.filter(
    (server) => !reached.some((other) => areCopies(facts, server, other) && isOlderCopy(server, other)),
  );
}

/** Whether the server's host is in the list. */
function isListed({ server }: ServerFacts, hosts: readonly string[]): boolean {
  return hosts.some((host) => host.toLowerCase() === server.host?.toLowerCase());
}

function subdomainView(facts: Facts, server: ServerFacts): ServerView {
  const aliases = aliasesAt(facts, server);
  if (aliases.length > 1) return 'wrong';
  const [alias] = aliases;
  if (alias !== undefined) {
    const isAlone = recordsNextToAlias(facts, server).length === 0 && !isWildcardMixed(facts, server);
    if (isAlone && pointsToTarget(facts, server, aliasTarget(alias))) return 'right';
    return isFromWildcard(facts, server.server) ? 'absent' : 'wrong';
  }
  if (!isKnown(server.cname)) return 'unknown';
  if (ownAddresses(facts, server).length > 0) {
    return aliasEvidence(facts, [server]) === 'proved' ? 'right' : 'wrong';
  }
  return lacksAddressLookups(server) ? 'unknown' : 'absent';
}

function apexView(facts: Facts, server: ServerFacts): ServerView {
  if (aliasesAt(facts, server).length > 0) return 'wrong';
  if (lacksAddressLookups(server)) return 'unknown';
  if (ownAddresses(facts, server).length === 0) return 'absent';
  const evidence = aliasEvidence(facts, [server]);
  if (evidence === 'incomparable' || evidence === 'uncertain') return 'incomparable';
  return evidence === 'mismatch' ? 'wrong' : 'right';
}

/** Records next to a CNAME, which must be the only record of its name (RFC 1034, section 3.6.2). */
export function recordsNextToAlias(facts: Facts, server: ServerFacts): DnsRecord[] {
  if (aliasesAt(facts, server).length === 0) return [];
  const shared = sharedLookups(facts).filter((lookup) => isOfSameCopy(facts, server, lookup));
  const lookups = [server.a, server.aaaa, server.mx, server.txt, server.https, ...shared];
  return lookups.flatMap((lookup) => ownRecords(facts, lookup));
}

/** Whether a wildcard gives the domain an alias and other records. A record of its own replaces all of them. */
function isWildcardMixed(facts: Facts, server: ServerFacts): boolean {
  const mixed = lookupsOf(server).some(({ nextToAlias }) => nextToAlias !== undefined);
  return mixed && isFromWildcard(facts, server.server);
}

/** Whether a lookup made at one server counts for another: not if their copies of the zone differ. */
function isOfSameCopy({ servers }: Facts, server: ServerFacts, lookup: Lookup): boolean {
  const queried = servers.find((one) => one.server === lookup.server);
  if (queried === undefined || queried === server) return true;
  return !isOlderCopy(queried, server) && !isOlderCopy(server, queried);
}

function pointsToTarget(facts: Facts, server: ServerFacts, first: string): boolean {
  if (first === facts.target) return true;
  const { chain } = facts.relatedNames;
  const followed = chain[0]?.to.toLowerCase() === first ? chain.map((step) => step.to.toLowerCase()) : [];
  return [...followed, ...server.a.chain.map(aliasTarget)].includes(facts.target);
}

function lacksAddressLookups(server: ServerFacts): boolean {
  return !isKnown(server.a) || !isKnown(server.aaaa);
}

/**
 * Whether every authoritative server that responded has the right record and does not deny it, and at least one did.
 * Resolvers are queried only then, because they cache an absence (RFC 2308). A server with an older copy counts too: a
 * resolver may query it.
 */
export function isRightAtAllServers(facts: Facts): boolean {
  const reached = reachedServers(facts);
  return (
    reached.length > 0 &&
    reached.every((server) => serverView(facts, server) === 'right') &&
    wrongDenials(facts).length === 0
  );
}

/** Whether one serial number is newer. They wrap around (RFC 1982, section 3.2). */
export function isNewerSerial(serial: number, than: number): boolean {
  const ahead = (serial - than) >>> 0;
  return ahead > 0 && ahead < 0x8000_0000;
}

/**
 * Whether the SOA records of two servers can't be versions of one zone: another primary server, or serial numbers of
 * another format. A secondary copies the whole record (RFC 5936, section 2.2), so also other timers at another provider.
 *
 * @param isOtherProvider Whether the servers have host names of different organisations.
 */
export function areUnrelatedZones(one: SoaData, other: SoaData, isOtherProvider: boolean): boolean {
  if (one.primary.toLowerCase() !== other.primary.toLowerCase()) return true;
  const [format, otherFormat] = [formatOf(one.serial), formatOf(other.serial)];
  if (format !== undefined && otherFormat !== undefined && format !== otherFormat) return true;
  return isOtherProvider && (one.refresh !== other.refresh || one.minimum !== other.minimum);
}

/** The usual formats: a count, seconds since 1970, or a date with a count (RFC 1912, section 2.2). */
function formatOf(serial: number): 'count' | 'seconds' | 'date' | undefined {
  if (serial < 100_000_000) return 'count';
  if (serial >= FIRST_SECONDS && serial < FIRST_DATE) return 'seconds';
  return serial >= FIRST_DATE && serial < DATES_END ? 'date' : undefined;
}

/** 2000-01-01 in seconds. */
const FIRST_SECONDS = 946_684_800;
/** `1990…` to `2099…`. */
const FIRST_DATE = 1_990_000_000;
const DATES_END = 2_100_000_000;
