import type { RecordFields, Todo } from '../../src/domain/report/finding.js';
import { valueText } from '../../src/domain/gather/views/evidence.js';
import { readZone } from './fake-dns.js';

/**
 * Makes one change of `todo` in the lines of a zone, as its owner does.
 *
 * @param appendsZone Whether the provider appends the zone to a value without a final dot. Others add the dot.
 * @throws if a record to remove does not exist.
 */
export function editedLines(
  zone: string,
  lines: readonly string[],
  { action, record, replaces = [] }: Todo,
  appendsZone = false,
): string[] {
  const gone = action === 'remove' ? [record] : replaces;
  const kept = lines.filter((line) => !gone.some((one) => isRecord(readZone(zone, [line])[0], one)));
  if (lines.length - kept.length !== gone.length) throw new Error(`not in ${zone}: ${JSON.stringify(gone)}`);
  if (action === 'remove') return kept;
  const { name, ttl = 0, type, value } = record;
  const label = name === zone ? '@' : name.slice(0, -zone.length - 1);
  // The panel has one record behind the addresses of a proxy.
  const isHidden = (line: string): boolean =>
    action === 'edit' && replaces.length === 0 && new RegExp(`^${label} .*(?:A|AAAA|HTTPS) `).test(line);
  const isHost = type === 'CNAME' || type === 'ALIAS';
  const text = isHost && !appendsZone ? `${value.replace(/\.$/, '')}.` : value;
  return [...kept.filter((line) => !isHidden(line)), `${label} ${String(ttl)} ${type} ${text}`];
}

function isRecord(own: ReturnType<typeof readZone>[number] | undefined, { name, type, value }: RecordFields) {
  const plain = (text: string): string => text.replaceAll(/["\\]/g, '');
  return own?.name === name && own.data.type === type && plain(valueText(own.data)) === plain(value);
}
