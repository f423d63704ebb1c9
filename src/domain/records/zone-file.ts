import type { RecordFields } from '../finding/finding.js';

/** Records of one zone. */
export interface ZoneRecords {
  zone: string;
  records: readonly RecordFields[];
}

/**
 * Records as lines of a zone file (RFC 1035, section 5), each zone under its `$ORIGIN`. An ALIAS is a comment: it is no
 * record type of DNS, and a server that does not have it would refuse the whole file.
 */
export function zoneFile(zones: readonly ZoneRecords[]): string {
  return zones
    .map(({ zone, records }) => [`$ORIGIN ${nameText(zone)}.`, ...records.map(lineOf), ''].join('\n'))
    .join('\n');
}

function lineOf(record: RecordFields): string {
  const { label, ttl } = record;
  const type = record.type.replaceAll(/[^A-Z0-9]/g, '');
  const owner = label === '@' ? '@' : nameText(label);
  const seconds = ttl === undefined ? '' : ` ${ttl}`;
  const line = `${owner}${seconds} IN ${type} ${dataText(type, record.value)}`;
  if (type !== 'ALIAS' && type !== 'ANAME') return line;
  return `; ALIAS (also called ANAME) is not standard DNS; if your provider's files have it, take away the semicolon:\n; ${line}`;
}

function dataText(type: string, value: string): string {
  return HOST_TYPES.has(type) ? `${nameText(value)}.` : plainText(value);
}

/** Types whose value is a host name alone; it must end with a dot, or the zone is appended to it. */
const HOST_TYPES: ReadonlySet<string> = new Set(['CNAME', 'ALIAS', 'ANAME', 'DNAME', 'NS']);

/** A name, its odd bytes as `\DDD`; escapes that are there already stay. */
function nameText(name: string): string {
  return name.replaceAll(/\\\d{3}|[^\w.*-]/gu, (part) =>
    part.startsWith('\\') && part.length > 1 ? part : escaped(part),
  );
}

/** What has its own quoting, such as CAA: only what would end the line is escaped. */
function plainText(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/gu, escaped);
}

function escaped(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('');
}
