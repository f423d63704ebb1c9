import type { RecordFields } from '../finding/finding.js';
import { withoutUnprintable } from '../finding/printable.js';
import type { ZoneRecords } from './zone-file.js';

/**
 * Records for Terraform, in the shape of the provider `hashicorp/dns` (dynamic updates, RFC 2136), which every other
 * provider's resource resembles. It has no ALIAS, nor a neutral form of one: such a record becomes a comment.
 */
export function terraform(zones: readonly ZoneRecords[]): string {
  return zones.flatMap(({ zone, records }) => records.map((record) => resource(zone, record))).join('\n');
}

function resource(zone: string, { type, name, label, value, ttl }: RecordFields): string {
  if (type !== 'CNAME') {
    return `# ${comment(`${type} ${label} -> ${value} in ${zone}`)}: the provider hashicorp/dns has no such resource. Use your own DNS provider's.\n`;
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

/** Host names have no underscore, so two of them never share an identifier. */
function identifier(name: string): string {
  const plain = name.replaceAll('.', '_').replaceAll(/[^\w-]/g, '-');
  return /^[a-z_]/i.test(plain) ? plain : `_${plain}`;
}

/** A quoted string of HCL; `${` and `%{` would begin a template. */
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
