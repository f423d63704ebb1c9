import { escapeText, MalformedMessage } from './names.js';

const EXTENDED_ERROR = 15;

/** The data of an OPT record (RFC 6891, section 6.1). */
export interface EdnsData {
  /** The upper eight bits of the response code. */
  rcodeHigh: number;
  extendedErrors: { code: number; text: string }[];
}

/** Reads an OPT record: its TTL field at `ttlOffset`, its options from `start` to `end`. */
export function readEdns(message: Buffer, ttlOffset: number, start: number, end: number): EdnsData {
  const extendedErrors: EdnsData['extendedErrors'] = [];
  let offset = start;
  while (offset < end) {
    if (offset + 4 > end) throw new MalformedMessage('a truncated EDNS option');
    const code = message.readUInt16BE(offset);
    const dataStart = offset + 4;
    const dataEnd = dataStart + message.readUInt16BE(offset + 2);
    if (dataEnd > end) throw new MalformedMessage('an EDNS option extends past its record');
    if (code === EXTENDED_ERROR) {
      if (dataEnd - dataStart < 2) throw new MalformedMessage('a truncated extended error');
      const text = escapeText(message.subarray(dataStart + 2, dataEnd));
      extendedErrors.push({ code: message.readUInt16BE(dataStart), text });
    }
    offset = dataEnd;
  }
  return { rcodeHigh: message.readUInt8(ttlOffset), extendedErrors };
}

/** Returns the name of a 12-bit response code, or `RCODE` and the number. */
export function responseCodeName(code: number): string {
  return NAMES[code] ?? EXTENDED_NAMES[code] ?? `RCODE${code}`;
}

/** IANA, "DNS RCODEs". */
const NAMES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
];
const EXTENDED_NAMES: Readonly<Record<number, string>> = { 16: 'BADVERS', 23: 'BADCOOKIE' };
