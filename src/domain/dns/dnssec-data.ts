import type { DnskeyData, DsData, RrsigData } from './dns.js';
import { MalformedMessage, readName } from './names.js';

/** Reads a DS record (RFC 4034, section 5.1). */
export function readDs(message: Buffer, start: number, end: number): DsData {
  if (end - start < 5) throw new MalformedMessage('a truncated DS record');
  return {
    type: 'DS',
    keyTag: message.readUInt16BE(start),
    algorithm: message.readUInt8(start + 2),
    digestType: message.readUInt8(start + 3),
    digest: message.toString('hex', start + 4, end),
  };
}

/** Reads a DNSKEY record (RFC 4034, section 2.1). */
export function readDnskey(message: Buffer, start: number, end: number): DnskeyData {
  if (end - start < 5) throw new MalformedMessage('a truncated DNSKEY record');
  const rdata = message.subarray(start, end);
  return {
    type: 'DNSKEY',
    flags: rdata.readUInt16BE(0),
    algorithm: rdata.readUInt8(3),
    keyTag: keyTagOf(rdata),
    rdata: rdata.toString('hex'),
  };
}

/** RFC 4034, appendix B. */
function keyTagOf(rdata: Buffer): number {
  const sum = rdata.reduce((total, byte, index) => total + (index % 2 === 0 ? byte << 8 : byte), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}

/** Reads an RRSIG record (RFC 4034, section 3.1). Its signer's name is never compressed. */
export function readRrsig(message: Buffer, start: number, end: number): RrsigData {
  if (end - start < 19) throw new MalformedMessage('a truncated RRSIG record');
  return {
    type: 'RRSIG',
    covered: message.readUInt16BE(start),
    expiration: message.readUInt32BE(start + 8),
    inception: message.readUInt32BE(start + 12),
    keyTag: message.readUInt16BE(start + 16),
    signer: readName(message, start + 18, end, 'refused').text,
  };
}
