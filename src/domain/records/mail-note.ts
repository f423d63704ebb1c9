import type { Facts } from '../facts/facts.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { listed } from '../finding/printable.js';
import { decisiveServers } from '../views/server-view.js';

/**
 * Returns what to check before a removal, because mail or another service may need the records. With a final space, since
 * it comes before the change; empty if there is nothing to check.
 */
export function mailNote(facts: Facts, removed: readonly { type: string }[]): string {
  const types = [...new Set(removed.map(({ type }) => type))];
  const { unicode } = facts.domain;
  const others = types.filter((type) => type !== 'MX' && !HOST_TYPES.has(type));
  const notes = [
    ...(types.some((type) => ADDRESS_TYPES.has(type)) ? hostNotes(facts) : []),
    ...(types.includes('MX')
      ? [`If ${unicode} receives mail, choose another subdomain for the service: the MX must stay.`]
      : []),
    ...(others.length > 0
      ? [`If ${listed(others)} is still needed, choose another subdomain for the service.`]
      : []),
  ];
  return notes.map((note) => `${note} `).join('');
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);
const HOST_TYPES: ReadonlySet<string> = new Set([...ADDRESS_TYPES, 'HTTPS']);

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
    ? [`No MX record was found: if mail for ${domain.unicode} goes to its address, set MX first.`]
    : [];
}

/** MX of the domain, and of its zone if that was queried. */
function mxLookups(facts: Facts): Lookup[] {
  const { zoneMx } = facts.relatedNames;
  return [...decisiveServers(facts).map(({ mx }) => mx), ...(zoneMx === undefined ? [] : [zoneMx])];
}
