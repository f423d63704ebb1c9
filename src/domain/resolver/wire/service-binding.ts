import { readAddress } from './address.js';
import type { RecordData } from '../dns.js';
import { MalformedMessage, readName } from './wire-name.js';

const IPV4_HINT = 4;
const IPV6_HINT = 6;

/**
 * Reads the data of an HTTPS record (RFC 9460, section 2.2), which dns-packet leaves as bytes. The name in it is never
 * compressed; keys rise, each at most once.
 */
export function readServiceBinding(message: Buffer, start: number, end: number): RecordData {
  if (end - start < 3) throw new MalformedMessage('an HTTPS record cut short');
  const priority = message.readUInt16BE(start);
  const target = readName(message, start + 2, end, 'refused');
  const addressHints: string[] = [];
  let offset = target.end;
  let keyBefore = -1;
  while (offset < end) {
    if (offset + 4 > end) throw new MalformedMessage('an HTTPS parameter cut short');
    const key = message.readUInt16BE(offset);
    const valueEnd = offset + 4 + message.readUInt16BE(offset + 2);
    if (valueEnd > end) throw new MalformedMessage('an HTTPS parameter that runs past its record');
    if (key <= keyBefore) throw new MalformedMessage('HTTPS parameters out of order');
    addressHints.push(...readHints(message, key, offset + 4, valueEnd));
    keyBefore = key;
    offset = valueEnd;
  }
  return { type: 'HTTPS', priority, target: target.text, addressHints };
}

function readHints(message: Buffer, key: number, start: number, end: number): string[] {
  if (key !== IPV4_HINT && key !== IPV6_HINT) return [];
  const size = key === IPV4_HINT ? 4 : 16;
  if (start === end || (end - start) % size !== 0)
    throw new MalformedMessage('address hints of a wrong size');
  const hints: string[] = [];
  for (let offset = start; offset < end; offset += size) hints.push(readAddress(message, offset, size));
  return hints;
}
