import { checkArgument } from '../../options/check-argument.js';
import { isObject, mustBeListOf } from '../../options/check-options.js';
import type { RecordFields } from '../report/finding.js';

/** Records of one zone. */
export interface ZoneRecords {
  zone: string;
  records: readonly RecordFields[];
}

/**
 * Formats records as a zone file (RFC 1035, section 5), with an `$ORIGIN` for each zone. An ALIAS becomes a comment: it is not
 * a DNS record type, and many servers would reject the file.
 *
 * @throws InvalidInputError unless all zones have records.
 * @example
 * const text = zoneFile([{ zone: report.zone, records: report.expected }]);
 */
export function zoneFile(zones: readonly ZoneRecords[]): string {
  checkZones(zones);
  return zones
    .map(({ zone, records }) => [`$ORIGIN ${nameText(zone)}.`, ...records.map(lineOf), ''].join('\n'))
    .join('\n');
}

/** @throws InvalidInputError unless all zones have records. */
function checkZones(zones: unknown): void {
  checkArgument(zones, 'zones', mustBeZones);
}

const mustBeZones = mustBeListOf('a list of zones, each with its records', (each) => {
  if (!isObject(each)) return false;
  const { zone, records } = each as Partial<Record<keyof ZoneRecords, unknown>>;
  return typeof zone === 'string' && Array.isArray(records) && records.every(isRecord);
});

function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, name, label, value: data } = value as Partial<Record<keyof RecordFields, unknown>>;
  return [type, name, label, data].every((field) => typeof field === 'string');
}

function lineOf(record: RecordFields): string {
  const { label, ttl } = record;
  const type = record.type.replaceAll(/[^A-Z0-9]/g, '');
  const owner = label === '@' ? '@' : nameText(label);
  const seconds = ttl === undefined ? '' : ` ${ttl}`;
  const line = `${owner}${seconds} IN ${type} ${dataText(type, record.value)}`;
  if (type !== 'ALIAS' && type !== 'ANAME') return line;
  return `; ALIAS (or ANAME) is not standard DNS. If your provider supports it, remove the semicolon:\n; ${line}`;
}

function dataText(type: string, value: string): string {
  return HOST_TYPES.has(type) ? `${nameText(value)}.` : plainText(value);
}

/** Types whose value is a host name. Without a final dot, the zone would be appended. */
const HOST_TYPES: ReadonlySet<string> = new Set(['CNAME', 'ALIAS', 'ANAME', 'DNAME', 'NS']);

/** Escapes unusual bytes of a name as `\DDD`. Existing escapes stay. */
function nameText(name: string): string {
  return name.replaceAll(/\\\d{3}|[^\w.*-]/gu, (part) =>
    part.startsWith('\\') && part.length > 1 ? part : escaped(part),
  );
}

/** A value with its own quotes, such as CAA. Escapes only characters that would end the line. */
function plainText(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/gu, escaped);
}

function escaped(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('');
}
