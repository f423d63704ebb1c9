import { distinct, recordText, typeOf, valueText } from '../gather/views/evidence.js';
import { expectedRecords, recordLabel } from './expected.js';
import type { Facts } from '../gather/facts/facts.js';
import type { DnsProvider } from '../gather/facts/providers.js';
import {
  type AdvicePart,
  adviceWithoutChange,
  type Fix,
  type RecordFields,
  type RecordToAdd,
} from '../report/finding.js';
import { type Advice, fixOf, recordLine, withChoices, withNote } from './words.js';
import { printable } from '../../schema/control-characters.js';
import { clipped, listed } from '../names/printable.js';
import { registrableOf } from '../names/name.js';
import type { DnsRecord } from '../dns/dns.js';
import { isKnown, type Lookup } from '../gather/facts/lookup.js';
import { aliasTarget, decisiveServers } from '../gather/views/server-view.js';

/** The records that the domain needs. */
export function expectedRecordsOf(facts: Facts): readonly RecordToAdd[] {
  const { domain, zone, target } = facts;
  return expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target });
}

/** Advises to add the expected record. */
export function addExpectedRecord(facts: Facts, ...notes: readonly string[]): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  return fixOf({
    action: 'add',
    step: `Add ${expectedText(facts)}.`,
    notes,
    add: expectedRecordsOf(facts),
  });
}

/**
 * Advises to put the expected record in the place of others, as one change.
 *
 * The ALIAS of an apex may be impossible at the DNS provider. Without it, the domain has no address at all, and its mail
 * may be lost too. So nothing is removed unless the provider is known to have it.
 *
 * @param old the records to replace; none if the domain has no record yet.
 */
export function replaceWithExpected(facts: Facts, old: readonly DnsRecord[]): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  const { zone, provider } = facts;
  const removed = withoutExpected(facts, old);
  const step =
    removed.length === 0
      ? `Add ${expectedText(facts)}.`
      : `Replace ${textsOf(removed)} with ${expectedText(facts)}.`;
  const fix =
    removed.length === 0 ? addExpectedRecord(facts) : changeToExpectedRecord(facts, { step, old: removed });
  if (zone.kind === 'subdomain') return fix;
  const { dns } = provider ?? {};
  if (dns?.alias === 'yes') {
    const type = dns.aliasType === undefined ? '' : ` (type ${dns.aliasType} in its panel)`;
    return withNote(fix, `${dns.name} supports this${type}.`);
  }
  const mail = mailChecks(facts, [{ type: 'A' }]).map(({ text }) => text);
  if (dns?.alias !== undefined) {
    const keep = `At ${dns.name}: change nothing at ${facts.domain.unicode} yet.`;
    const fix = adviceWithoutChange(keep, lackText(dns), ...mail);
    return withChoices(fix, withoutAlias(facts, 'Instead: '));
  }
  if (removed.length === 0) {
    const names = 'Some providers call this type ANAME or flattening.';
    return withChoices(withNote(fix, names), withoutAlias(facts, 'Without ALIAS: '));
  }
  const types = listed([...new Set(removed.map(({ data }) => typeOf(data)))]);
  const check = `At ${placeOf(facts)}: check for ALIAS records, also called ANAME or flattening.`;
  return withChoices(adviceWithoutChange(check, ...mail), [
    `If it has them: replace ${types} with ${expectedText(facts)}.`,
    ...withoutAlias(facts, 'If not: '),
  ]);
}

/** No advice removes the record that the domain needs. */
function withoutExpected(facts: Facts, records: readonly DnsRecord[]): DnsRecord[] {
  return distinct(records).filter(
    (record) =>
      facts.zone.kind === 'apex' ||
      record.name.toLowerCase() !== facts.domain.ascii ||
      aliasTarget(record) !== facts.target,
  );
}

/** Whether the target certainly has no address. Then a record that leads there would end what works now. */
export function isTargetDead({ platform: { a, aaaa, addresses } }: Facts): boolean {
  const isEmpty = (lookup: Lookup | undefined): boolean =>
    lookup?.outcome === 'nodata' || lookup?.outcome === 'nxdomain';
  return addresses.length === 0 && isEmpty(a) && isEmpty(aaaa);
}

/** Advises to check a target without an address, before anything changes. */
export function compareTarget({ target }: Facts): Fix {
  return adviceWithoutChange(
    `Compare the target ${target} with the value that the dashboard shows.`,
    'Until then, change nothing.',
    'If they are the same, contact the support of the service.',
  );
}

function lackText({ name, alias, date }: DnsProvider): string {
  return alias === 'limited'
    ? `${name} has ALIAS records for its own services only (as of ${date}).`
    : `${name} has no ALIAS or ANAME records (as of ${date}).`;
}

/** What to do for an apex without ALIAS, in an order in which every step keeps site and mail. */
function withoutAlias(facts: Facts, condition: string): string[] {
  const { domain, target, dnssec } = facts;
  const www = `www.${domain.unicode}`;
  const isSigned = dnssec.some(({ owner }) => owner === 'domain');
  return [
    `${condition}add a CNAME for ${www} to ${target}. When that is verified, forward ${domain.unicode} to it.`,
    'Or move all records, also MX, to a provider with ALIAS.' +
      (isSigned ? ' The zone is signed: before a move, ask that provider how to move DNSSEC.' : ''),
  ];
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

/** Advises to change records to the expected one. */
export function changeToExpectedRecord(
  facts: Facts,
  { old = [], ...advice }: Pick<Advice, 'step' | 'isOwnStep' | 'notes'> & { old?: readonly DnsRecord[] },
): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  const remove = withoutExpected(facts, old).map((record) => recordFields(facts, record));
  const first = mailChecks(facts, remove);
  return fixOf({ action: 'change', ...advice, first, remove, add: expectedRecordsOf(facts) });
}

/** The words of a change from another type to a CNAME. */
export function changeOfType(facts: Facts, from: string): Pick<Advice, 'step' | 'notes'> {
  return {
    step: `Change the type of the record from ${from} to CNAME: ${expectedText(facts)}.`,
    notes: [`If the type can't be changed, remove the ${from} record first.`],
  };
}

/**
 * Advises to turn off a proxy: the panel has the record behind the proxy, and not the addresses that visitors get. One edit,
 * because without the proxy, an old record shows its server to visitors.
 */
export function turnOffProxy(facts: Facts): Fix {
  const { aliasType } = (facts.zone.kind === 'apex' ? facts.provider?.dns : undefined) ?? {};
  const type = aliasType === undefined ? '' : ` The type in the panel is ${aliasType}.`;
  const step = `Change the record to ${expectedText(facts)} and to "DNS only" (grey cloud), in one edit.${type}`;
  return changeToExpectedRecord(facts, { step, isOwnStep: true });
}

/** Advises to remove records. Only if the right record exists, or if no visitor looks the records up. */
export function removeRecords(facts: Facts, records: readonly DnsRecord[], step: string): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  const remove = withoutExpected(facts, records).map((record) => recordFields(facts, record));
  return fixOf({ action: 'remove', first: mailChecks(facts, remove), step, remove });
}

/** Returns the expected record in words: `CNAME shop -> cname.platform.test, TTL 3600`. */
export function expectedText(facts: Facts): string {
  return listed(expectedRecordsOf(facts).map(recordLine));
}

/** Converts a DNS record to the fields of a provider's form. */
export function recordFields(facts: Facts, { name, data }: DnsRecord): RecordFields {
  return { type: typeOf(data), name, label: recordLabel(name, facts.zone.name), value: valueText(data) };
}

/** What to check before a removal, because mail or another service may need the records. */
function mailChecks(facts: Facts, removed: readonly { type: string }[]): AdvicePart[] {
  const types = [...new Set(removed.map(({ type }) => type))];
  const { unicode } = facts.domain;
  const others = types.filter((type) => type !== 'MX' && !HOST_TYPES.has(type));
  const needs = [
    ...(types.includes('MX') ? [`${unicode} receives mail`] : []),
    ...(others.length > 0 ? [`${listed(others)} is still needed`] : []),
  ];
  const checks: AdvicePart[] = types.some((type) => ADDRESS_TYPES.has(type))
    ? hostNotes(facts).map((text) => ({ kind: 'check', text }))
    : [];
  if (needs.length > 0) {
    const text = `If ${needs.join(' or ')}, choose another subdomain for the service.`;
    checks.push({ kind: 'unless', text });
  }
  return checks;
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
  return zone.kind === 'apex' && hosts.length === 0
    ? [`If ${domain.unicode} receives mail, first set an MX record with the name of its mail server.`]
    : [];
}

/** MX of the domain, and of its zone if that was queried. */
function mxLookups(facts: Facts): Lookup[] {
  const { zoneMx } = facts.relatedNames;
  return [...decisiveServers(facts).map(({ mx }) => mx), ...(zoneMx === undefined ? [] : [zoneMx])];
}
