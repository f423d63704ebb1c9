import { escapeText } from './escape.js';
import { MalformedMessage } from './wire-name.js';

const EXTENDED_ERROR = 15;

/** What an answer's OPT record says (RFC 6891, section 6.1). */
export interface EdnsFacts {
  /** The upper eight bits of the response code. */
  rcodeHigh: number;
  extendedErrors: { code: number; text: string }[];
}

/** Reads an OPT record: its TTL field from `ttlOffset`, its options from `start` to `end`. */
export function readEdns(message: Buffer, ttlOffset: number, start: number, end: number): EdnsFacts {
  const extendedErrors: EdnsFacts['extendedErrors'] = [];
  let offset = start;
  while (offset < end) {
    if (offset + 4 > end) throw new MalformedMessage('an EDNS option cut short');
    const code = message.readUInt16BE(offset);
    const dataStart = offset + 4;
    const dataEnd = dataStart + message.readUInt16BE(offset + 2);
    if (dataEnd > end) throw new MalformedMessage('an EDNS option that runs past its record');
    if (code === EXTENDED_ERROR) {
      if (dataEnd - dataStart < 2) throw new MalformedMessage('an extended error cut short');
      const text = escapeText(message.subarray(dataStart + 2, dataEnd));
      extendedErrors.push({ code: message.readUInt16BE(dataStart), text });
    }
    offset = dataEnd;
  }
  return { rcodeHigh: message.readUInt8(ttlOffset), extendedErrors };
}
