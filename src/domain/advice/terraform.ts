import type { RecordFields } from '../finding/finding.js';
import { withoutUnprintable } from '../finding/printable.js';
import { checkZones, type ZoneRecords } from './zone-file.js';

/**
 * Formats records as Terraform resources of the provider `hashicorp/dns` (dynamic updates, RFC 2136). It has no ALIAS
 * resource, so an ALIAS becomes a comment.
 *
 * @throws InvalidInputError unless all zones have records.
 * @example
 * const text = terraform([{ zone: 'example.com', records: report.expected }]);
 */
export function terraform(zones: readonly ZoneRecords[]): string {
  checkZones(zones);
  return zones.flatMap(({ zone, records }) => records.map((record) => resource(zone, record))).join('\n');
}

function resource(zone: string, { type, name, label, value, ttl }: RecordFields): string {
  if (type !== 'CNAME') {
    return `# ${comment(`${type} ${label} -> ${value} in ${zone}`)}: hashicorp/dns has no such resource. Use the one of your DNS provider.\n`;
  }
  return [
    `resource "dns_cname_record" ${quoted(identifier(name))} {`,
    `  zone  = ${quoted(`${zone}.`)}`,
    `  name  = ${quoted(label)}`,
    `  cname = ${quoted(`${value}.`)}`,
    ...(ttl === undefined ? [] : [`  ttl   = ${ttl}`]),
    '}',
    '',
  ].join('\n');
}

/** Makes an identifier of a name. Unique, because host names have no underscore. */
function identifier(name: string): string {
  const plain = name.replaceAll('.', '_').replaceAll(/[^\w-]/g, '-');
  return /^[a-z_]/i.test(plain) ? plain : `_${plain}`;
}

/** Quotes a string for HCL, where `${` and `%{` would start a template. */
function quoted(text: string): string {
  const plain = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[$%](?=\{)/g, '$&$&');
  return `"${plain.replaceAll(/\p{C}/gu, (character) => unicodeEscape(character))}"`;
}

function unicodeEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

function comment(text: string): string {
  return withoutUnprintable(text, ' ');
}
