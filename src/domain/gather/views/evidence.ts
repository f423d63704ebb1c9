import type { Evidence } from '../../report/finding.js';
import { isIpv6 } from '../../names/ip-address.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { clipped, listed } from '../../names/printable.js';
import type { DnsRecord, DnsServer, RecordData, RecordType } from '../../dns/dns.js';

/** Returns a `dig` command that repeats a lookup: without recursion, unless `recursive`. */
export function digCommand(
  server: DnsServer | undefined,
  name: string,
  type: RecordType,
  recursive = false,
  flags: readonly ('+dnssec' | '+cd' | '+noedns')[] = [],
): string {
  const words: string[] = ['dig', ...flags];
  if (!recursive && server !== undefined) words.push('+norecurse');
  if (server?.transport === 'https') {
    const { hostname, pathname, port } = new URL(server.address);
    words.push(`+https=${pathname}`);
    if (port !== '') words.push('-p', port);
    words.push(`@${hostname}`);
  } else if (server !== undefined) {
    if (server.port !== 53) words.push('-p', String(server.port));
    words.push(`@${server.address}`);
  }
  // dig would read such a name as an option or a server.
  if (/^[-+@]/.test(name)) words.push('-q', name, '-t', type);
  else words.push(name, type);
  return words.map(shellQuoted).join(' ');
}

/** Returns evidence with the `dig` command that shows it. */
export function digEvidence(text: string, ...query: Parameters<typeof digCommand>): Evidence {
  return { text, command: digCommand(...query) };
}

/**
 * Returns the result of a lookup in words, with the command that shows it.
 *
 * @param isResolver By default, whether the server has no host name.
 */
export function evidenceOf(lookup: Lookup, isResolver = lookup.server.host === undefined): Evidence {
  const { server, question, exchange } = lookup;
  const withoutEdns = exchange.kind === 'response' && exchange.response.withoutEdns === true;
  const text = `${serverText(server)}: ${lookupText(lookup)}`;
  // Scripts run the command, which must not lead to an internal address either.
  if (lookup.isNotSent === true && server.host !== undefined)
    return digEvidence(text, undefined, server.host, isIpv6(server.address) ? 'AAAA' : 'A');
  return digEvidence(text, server, question.name, question.type, isResolver, withoutEdns ? ['+noedns'] : []);
}

/** Returns the results of lookups, without those that were not made. */
export function evidenceOfAll(lookups: readonly (Lookup | undefined)[], isResolver?: boolean): Evidence[] {
  return lookups.flatMap((lookup) => (lookup === undefined ? [] : [evidenceOf(lookup, isResolver)]));
}

/** The host name of a server, or its address. */
export function serverHost({ host, address }: DnsServer): string {
  return host ?? address;
}

/** `ns1.example.net (192.0.2.1)`, or the address alone. */
export function serverText(server: DnsServer): string {
  return server.host === undefined ? server.address : `${server.host} (${server.address})`;
}

/** `A 192.0.2.99, TTL 300`, `NXDOMAIN for CNAME`, `query for A failed: REFUSED`. */
export function lookupText(lookup: Lookup): string {
  const { type } = lookup.question;
  if (!isKnown(lookup)) return `query for ${type} failed: ${failureText(lookup)}`;
  const records = [...lookup.chain, ...(lookup.nextToAlias ?? []), ...lookup.records];
  if ((lookup.outcome === 'value' || lookup.nextToAlias !== undefined) && records.length > 0) {
    const ttl = Math.min(...records.map((record) => record.ttl));
    return `${listed(records.map((record) => clipped(recordText(record.data), 80)))}, TTL ${ttl}`;
  }
  const ending = lookup.outcome === 'nxdomain' ? 'NXDOMAIN' : 'no record';
  const end = lookup.chain.at(-1);
  const through =
    end === undefined ? '' : ` at the end of ${listed(lookup.chain.map((r) => recordText(r.data)))}`;
  return `${ending} for ${type}${through}`;
}

/** The reason of a failed lookup, in a few words. */
export function failureText(lookup: Lookup): string {
  if (lookup.failure !== undefined) return clipped(lookup.failure, 80);
  if (lookup.exchange.kind === 'response') return lookup.exchange.response.rcode;
  return clipped(lookup.exchange.detail || lookup.exchange.reason, 80);
}

/** A record in zone file format, without owner and TTL: `MX 10 mail.example.com`. Long texts are truncated. */
export function recordText(data: RecordData): string {
  const short =
    data.type === 'TXT'
      ? { ...data, text: clipped(data.text) }
      : data.type === 'CAA'
        ? { ...data, value: clipped(data.value) }
        : data;
  return `${typeOf(data)} ${valueText(short)}`.trimEnd();
}

/** The type's name; `TYPE257` for a type that is not decoded (RFC 3597). */
export function typeOf(data: RecordData): string {
  return data.type === 'OTHER' ? `TYPE${data.code}` : data.type;
}

/** A record's complete value, as entered at a DNS provider. */
export function valueText(data: RecordData): string {
  switch (data.type) {
    case 'A':
    case 'AAAA':
      return data.address;
    case 'CNAME':
    case 'DNAME':
    case 'NS':
      return data.target;
    case 'MX':
      return `${data.preference} ${data.target}`;
    case 'SRV':
      return `${data.priority} ${data.weight} ${data.port} ${data.target}`;
    case 'TXT':
      return `"${data.text.replaceAll('"', '\\"')}"`;
    case 'CAA':
      return `${data.flags} ${data.tag} "${data.value.replaceAll('"', '\\"')}"`;
    case 'SOA':
      return `${data.primary} ${data.serial}`;
    case 'DS':
      return `${data.keyTag} ${data.algorithm} ${data.digestType} ${data.digest}`;
    case 'DNSKEY':
      return `${data.flags} 3 ${data.algorithm} (key tag ${data.keyTag})`;
    case 'RRSIG':
      return `by key ${data.keyTag} of ${data.signer}`;
    case 'HTTPS':
      return [data.priority, data.target || '.', ...hintTexts(data)].join(' ');
    case 'NAPTR':
    case 'SSHFP':
    case 'TLSA':
    case 'TYPE65401':
    case 'OTHER':
      return '';
  }
}

/** Removes records with the same text, and keeps the order. */
export function distinct(records: readonly DnsRecord[]): DnsRecord[] {
  return [
    ...new Map(
      records.map((record) => [`${record.name} ${typeOf(record.data)} ${valueText(record.data)}`, record]),
    ).values(),
  ];
}

/** Address hints (RFC 9460, section 7.3). The other parameters are not decoded. */
function hintTexts({ addressHints }: Extract<RecordData, { type: 'HTTPS' }>): string[] {
  const [four, six] = [addressHints.filter((one) => !isIpv6(one)), addressHints.filter(isIpv6)];
  return [
    ...(four.length === 0 ? [] : [`ipv4hint=${four.join(',')}`]),
    ...(six.length === 0 ? [] : [`ipv6hint=${six.join(',')}`]),
  ];
}

/** Quotes a word for a POSIX shell: names come from DNS, and users paste the command. */
function shellQuoted(word: string): string {
  return /^[\w.:@%+-][\w.:@%+=-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
