import { distinct, recordText, typeOf, valueText } from '../views/evidence.js';
import { expectedRecords, recordLabel } from './expected.js';
import type { Facts } from '../facts/facts.js';
import type { DnsProvider } from '../facts/providers.js';
import type { Fix, RecordFields } from '../finding/finding.js';
import { clipped, listed, printable } from '../finding/printable.js';
import { registrableOf } from '../name/name.js';
import type { DnsRecord } from '../resolver/dns.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { decisiveServers } from '../views/server-view.js';

/** The records that the domain needs. */
export function expectedRecordsOf(facts: Facts): readonly RecordFields[] {
  const { domain, zone, target } = facts;
  return expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target });
}

/** A fix that adds the expected record. */
export function addExpectedRecord(facts: Facts): Fix {
  const records = expectedRecordsOf(facts);
  return { action: 'add', text: `Add ${expectedText(facts)}.`, records };
}

/**
 * A fix that puts the expected record in the place of others, as one change.
 *
 * The ALIAS of an apex may be impossible at the DNS provider. Without it, the domain has no address at all, and its mail
 * may be lost too. So nothing is removed unless the provider is known to have it.
 *
 * @param old the records to replace; none if the domain has no record yet.
 */
export function replaceWithExpected(facts: Facts, old: readonly DnsRecord[]): Fix {
  const { zone, provider } = facts;
  const removed = distinct(old);
  const fields = removed.map((record) => recordFields(facts, record));
  const change =
    removed.length === 0
      ? `Add ${expectedText(facts)}.`
      : `Replace ${textsOf(removed)} with ${expectedText(facts)}.`;
  const note = mailNote(facts, fields);
  const fix =
    removed.length === 0 ? addExpectedRecord(facts) : changeToExpectedRecord(facts, change, removed);
  if (zone.kind === 'subdomain') return fix;
  const { dns } = provider ?? {};
  if (dns?.alias === 'yes') {
    const type = dns.aliasType === undefined ? '' : ` (type ${dns.aliasType} in its panel)`;
    return { ...fix, text: `${fix.text} ${dns.name} supports this${type}.` };
  }
  if (dns?.alias !== undefined) {
    const ofAddress = mailNote(facts, [{ type: 'A' }]);
    const text = `At ${dns.name}: change nothing at ${facts.domain.unicode} yet. ${lackText(dns)} Instead, ${withoutAlias(facts, ofAddress)}`;
    return { action: 'other', text, records: [] };
  }
  if (removed.length === 0) {
    const names = 'Some providers call this type ANAME or flattening.';
    return { ...fix, text: `${fix.text} ${names} Without ALIAS, ${withoutAlias(facts)}` };
  }
  const check = `At ${placeOf(facts)}: first check for ALIAS records (also called ANAME or flattening).`;
  const types = listed([...new Set(fields.map(({ type }) => type))]);
  return {
    action: 'other',
    text: `${check} If it has them: ${note}Replace ${types} with ${expectedText(facts)}. Otherwise only ${withoutAlias(facts)}`,
    records: [],
  };
}

function lackText({ name, alias, date }: DnsProvider): string {
  return alias === 'limited'
    ? `${name} has ALIAS records for its own services only (as of ${date}).`
    : `${name} has no ALIAS or ANAME records (as of ${date}).`;
}

/**
 * What to do for an apex without ALIAS, in an order in which every step keeps site and mail.
 *
 * @param note what to check before the address changes, with a final space.
 */
function withoutAlias({ domain, target, dnssec }: Facts, note = ''): string {
  const www = `www.${domain.unicode}`;
  const isSigned = dnssec.some(({ owner }) => owner === 'domain');
  return [
    `add a CNAME for ${www} to ${target}.`,
    `${note}When that is verified, forward ${domain.unicode} to it.`,
    'Or move all records, also MX, to a provider with ALIAS.',
    ...(isSigned ? ['The zone is signed: before a move, ask that provider how to move DNSSEC.'] : []),
  ].join(' ');
}

/** Where the records of the domain are edited: the provider or, if it is not known, its name servers. */
export function placeOf({ zone, provider }: Facts): string {
  // Resolvers query the servers that the parent lists. Edits at others have no effect.
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const { dns } = provider ?? {};
  return dns !== undefined && hosts.every((host) => dns.servers.test(host.toLowerCase()))
    ? dns.name
    : placeOfHosts(hosts, zone);
}

/** Names the provider of name servers whose owner is not known. */
export function placeOfHosts(hosts: readonly string[], { name, registrable }: Facts['zone']): string {
  const byOwner = new Map(hosts.toReversed().map((host) => [registrableOf(host), printable(host)]));
  if (byOwner.size === 0) return 'your DNS provider';
  const list = name === registrable ? 'at your registrar' : `in the zone above ${name}`;
  return `the DNS provider of ${listed([...byOwner.values()].toReversed(), 3)} (listed ${list})`;
}

/** The records in a few words: their types, if they have many. */
function textsOf(records: readonly DnsRecord[]): string {
  const texts = listed(records.map(({ data }) => clipped(recordText(data), 60)));
  return texts.split(' ').length <= WORDS_MAX
    ? texts
    : listed([...new Set(records.map(({ data }) => typeOf(data)))]);
}

/** Leaves room for the rest of a sentence of 20 words. */
const WORDS_MAX = 11;

/**
 * A fix that changes records to the expected one.
 *
 * @param old the records that it replaces.
 */
export function changeToExpectedRecord(facts: Facts, text: string, old: readonly DnsRecord[] = []): Fix {
  const changed = distinct(old).map((record) => recordFields(facts, record));
  const records = [...changed, ...expectedRecordsOf(facts)];
  return { action: 'change', text: mailNote(facts, changed) + text, records };
}

/**
 * A fix for a proxied record: the panel has the record behind the proxy, and not the addresses that visitors get. One edit,
 * because without the proxy, an old record shows its server to visitors.
 */
export function turnOffProxy(facts: Facts): Fix {
  const { aliasType } = (facts.zone.kind === 'apex' ? facts.provider?.dns : undefined) ?? {};
  const type = aliasType === undefined ? '' : ` The type in the panel is ${aliasType}.`;
  const text = `Change the record to ${expectedText(facts)} and to "DNS only" (grey cloud), in one edit.${type}`;
  return changeToExpectedRecord(facts, text);
}

/** A fix that removes records. Only if the right record exists, or if no visitor looks the records up. */
export function removeRecords(facts: Facts, records: readonly DnsRecord[], text: string): Fix {
  const removed = records.map((record) => recordFields(facts, record));
  return { action: 'remove', text: `${mailNote(facts, removed)}${text}`, records: removed };
}

/** Returns the expected record in words: `CNAME shop -> cname.platform.test, TTL 3600`. */
export function expectedText(facts: Facts): string {
  return listed(expectedRecordsOf(facts).map(recordLine));
}

/** Returns a record in one line. */
export function recordLine({ type, label, value, ttl }: RecordFields): string {
  return `${type} ${label} -> ${value}${ttl === undefined ? '' : `, TTL ${ttl}`}`;
}

/** Converts a DNS record to the fields of a provider's form. */
export function recordFields(facts: Facts, { name, data }: DnsRecord): RecordFields {
  return { type: typeOf(data), name, label: recordLabel(name, facts.zone.name), value: valueText(data) };
}

/**
 * Returns what to check before a removal, because mail or another service may need the records. It ends with the condition
 * of the change and a space; empty if there is nothing to check.
 */
function mailNote(facts: Facts, removed: readonly { type: string }[]): string {
  const types = [...new Set(removed.map(({ type }) => type))];
  const { unicode } = facts.domain;
  const others = types.filter((type) => type !== 'MX' && !HOST_TYPES.has(type));
  const needs = [
    ...(types.includes('MX') ? [`${unicode} receives mail`] : []),
    ...(others.length > 0 ? [`${listed(others)} is still needed`] : []),
  ];
  const notes = types.some((type) => ADDRESS_TYPES.has(type)) ? hostNotes(facts) : [];
  if (needs.length > 0)
    notes.push(`If ${needs.join(' or ')}, choose another subdomain for the service. Otherwise:`);
  return notes.map((note) => `${note} `).join('');
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);
const HOST_TYPES: ReadonlySet<string> = new Set([...ADDRESS_TYPES, 'CAA', 'HTTPS', 'NS']);

/** Whether mail is delivered to the address of the domain. */
function hostNotes(facts: Facts): string[] {
  const { domain, zone } = facts;
  const lookups = mxLookups(facts);
  const hosts = lookups.flatMap(({ records }) =>
    records.flatMap(({ data }) => (data.type === 'MX' ? [data.target.toLowerCase()] : [])),
  );
  if (hosts.includes(domain.ascii))
    return [
      `An MX record names ${domain.unicode}: first give the mail server another name, and set MX to that.`,
    ];
  if (!lookups.every(isKnown))
    return [`Queries for MX failed: first check that no MX names ${domain.unicode}.`];
  // RFC 5321, section 5.1: without MX, mail goes to the address of the domain.
  return zone.kind === 'apex' && hosts.length === 0 ? ['If mail goes to this address, set MX first.'] : [];
}

/** MX of the domain, and of its zone if that was queried. */
function mxLookups(facts: Facts): Lookup[] {
  const { zoneMx } = facts.relatedNames;
  return [...decisiveServers(facts).map(({ mx }) => mx), ...(zoneMx === undefined ? [] : [zoneMx])];
}
