import type { SoaData } from '../resolver/dns.js';

/** Whether one serial number is newer. They wrap around (RFC 1982, section 3.2). */
export function isNewerSerial(serial: number, than: number): boolean {
  const ahead = (serial - than) >>> 0;
  return ahead > 0 && ahead < 0x8000_0000;
}

/**
 * Whether the SOA records of two servers can't be versions of one zone: another primary server, or serial numbers of
 * another format. A secondary copies the whole record (RFC 5936, section 2.2), so also other timers at another provider.
 *
 * @param isOtherProvider Whether the servers have host names of different organisations.
 */
export function areUnrelatedZones(one: SoaData, other: SoaData, isOtherProvider: boolean): boolean {
  if (one.primary.toLowerCase() !== other.primary.toLowerCase()) return true;
  const [format, otherFormat] = [formatOf(one.serial), formatOf(other.serial)];
  if (format !== undefined && otherFormat !== undefined && format !== otherFormat) return true;
  return isOtherProvider && (one.refresh !== other.refresh || one.minimum !== other.minimum);
}

/** The usual formats: a count, seconds since 1970, or a date with a count (RFC 1912, section 2.2). */
function formatOf(serial: number): 'count' | 'seconds' | 'date' | undefined {
  if (serial < 100_000_000) return 'count';
  if (serial >= FIRST_SECONDS && serial < FIRST_DATE) return 'seconds';
  return serial >= FIRST_DATE && serial < DATES_END ? 'date' : undefined;
}

/** 2000-01-01 in seconds. */
const FIRST_SECONDS = 946_684_800;
/** `1990…` to `2099…`. */
const FIRST_DATE = 1_990_000_000;
const DATES_END = 2_100_000_000;
