import { isWithin, readName, type Name } from './name.js';
import { readRdata, readSeconds, type Word } from './rdata.js';
import {
  isZoneRecordType,
  ZONE_RECORD_TYPES,
  type RecordData,
  type ZoneRecord,
  type ZoneRecordType,
} from './record.js';

/** What a zone file holds. */
export interface ZoneFile {
  zones: readonly ParsedZone[];
  /** What the recursive resolver at 127.0.0.1 has in its memory from the start. */
  cached: readonly CachedRecord[];
}

/** A zone, or the copy of it that one name server has. */
export interface ParsedZone {
  name: Name;
  /** The name server whose copy it is; absent for the zone as all others have it. */
  server?: Name;
  /** The start of authority first. */
  records: readonly ZoneRecord[];
}

/** A record, or that a name does not exist. */
export type CachedRecord = ZoneRecord | { name: Name; type: 'NXDOMAIN'; ttl: number };

const TTL_DEFAULT = 3_600;

/**
 * Reads zone files as BIND has them (RFC 1035, section 5): `$ORIGIN`, `$TTL`, `@`, relative names, comments, parentheses,
 * times such as `1h`, and the types A, AAAA, ALIAS, CAA, CNAME, DNAME, HTTPS, MX, NS, SOA, SRV and TXT. Data that no real
 * server would load, such as a CNAME beside an address, is taken: to show it is what the mock is for.
 *
 * Beyond that: a text holds any number of zones, each of which begins with its SOA record. `$SERVER host` before an SOA
 * makes the zone the copy of that name server alone. `$REMEMBERED` begins what the recursive resolver has in its memory
 * from the start, where `name TTL NXDOMAIN` says that it remembers the name as missing.
 *
 * @throws TypeError `line 7: …` where it is wrong.
 */
export function readZoneFile(text: string): ZoneFile {
  const reading: Reading = {
    origin: '',
    ttl: TTL_DEFAULT,
    owner: undefined,
    section: undefined,
    server: undefined,
  };
  const zones: (ParsedZone & { records: ZoneRecord[]; line: number })[] = [];
  const remembered: CachedRecord[] = [];
  for (const entry of entriesOf(text)) {
    at(entry.line, () => {
      if (entry.words[0]?.text.startsWith('$') === true) {
        directive(reading, entry.words);
        return;
      }
      const record = recordOf(reading, entry);
      if (record.type === 'SOA') {
        const { server } = reading;
        checkIsNewZone(zones, record.name, server);
        zones.push({
          name: record.name,
          ...(server === undefined ? {} : { server }),
          records: [record],
          line: entry.line,
        });
        reading.section = 'zone';
        reading.server = undefined;
      } else if (reading.section === 'remembered') remembered.push(record);
      else addToZone(zones.at(-1), record);
    });
  }
  for (const { name, records, line } of zones) {
    at(line, () => {
      if (!records.some((record) => record.type === 'NS' && record.name === name)) {
        throw new TypeError(`the zone ${name}. has no NS record of its own`);
      }
    });
  }
  return { zones, cached: remembered };
}

interface Reading {
  origin: Name;
  ttl: number;
  owner: Name | undefined;
  section: 'zone' | 'remembered' | undefined;
  server: Name | undefined;
}

interface Entry {
  line: number;
  /** Whether it begins with a blank, so that it has the owner of the one before. */
  continued: boolean;
  words: Word[];
}

function at<Value>(line: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`line ${String(line)}: ${error.message}`);
    throw error;
  }
}

/** A line, or several where parentheses hold them together. */
function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let open: Entry | undefined;
  let depth = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = (open ??= { line: index + 1, continued: /^[ \t]/.test(line), words: [] });
    for (const [token, , quoted] of line.matchAll(TOKEN)) {
      if (token === '(') depth += 1;
      else if (token === ')') depth -= 1;
      else if (token.startsWith('"') && quoted === undefined) {
        at(index + 1, () => fail('a quotation mark is not closed'));
      } else if (!token.startsWith(';'))
        entry.words.push({ text: quoted ?? token, quoted: quoted !== undefined });
      if (depth < 0) at(index + 1, () => fail('a parenthesis is closed that was not opened'));
    }
    if (depth > 0) return;
    if (entry.words.length > 0) entries.push(entry);
    open = undefined;
  });
  if (depth > 0) at(open?.line ?? 0, () => fail('a parenthesis is not closed'));
  return entries;
}

/**
 * Reads one record's data, as it stands behind the type; names without a final dot are whole as well.
 *
 * @throws TypeError where it is wrong.
 */
export function readRecord(name: Name, type: ZoneRecordType, ttl: number, value: string): ZoneRecord {
  const words = entriesOf(value).flatMap((entry) => entry.words);
  return zoneRecord(name, type, ttl, readRdata(type, words, ''));
}

/** A comment, a parenthesis, a quoted text (closed or not), or a word, in which a backslash takes what follows along. */
const TOKEN = /;.*|[()]|("((?:[^"\\]|\\.)*)"|".*)|(?:[^\s;()"\\]|\\.)(?:[^\s;()\\]|\\.)*/g;

function fail(what: string): never {
  throw new TypeError(what);
}

function directive(reading: Reading, [first, argument, surplus]: readonly Word[]): void {
  const keyword = first?.text.toUpperCase();
  const value = (): string =>
    argument === undefined || surplus !== undefined
      ? fail(`${String(keyword)} takes one value`)
      : argument.text;
  if (keyword === '$ORIGIN') reading.origin = readName(value(), reading.origin);
  else if (keyword === '$TTL') reading.ttl = readSeconds(value());
  else if (keyword === '$SERVER') reading.server = readName(value(), reading.origin);
  else if (keyword === '$REMEMBERED') reading.section = 'remembered';
  else fail(`no such directive here: ${String(first?.text)} ($ORIGIN, $TTL, $SERVER, $REMEMBERED)`);
}

function recordOf(reading: Reading, { continued, words }: Entry): CachedRecord {
  const rest = [...words];
  if (!continued) reading.owner = readName(rest.shift()?.text ?? '', reading.origin);
  const { owner: name = fail('there is no name before it') } = reading;
  let { ttl } = reading;
  for (;;) {
    const { text = fail('the type is missing'), quoted } = rest.shift() ?? {};
    const type = text.toUpperCase();
    if (/^\d/.test(text) && quoted !== true) ttl = readSeconds(text);
    else if (type === 'NXDOMAIN' && reading.section === 'remembered') return { name, type, ttl };
    else if (isZoneRecordType(type))
      return zoneRecord(name, type, ttl, readRdata(type, rest, reading.origin));
    else if (['CH', 'HS', 'CS'].includes(type)) fail(`no other class than IN: ${text}`);
    else if (type !== 'IN') {
      fail(`no such record type: ${text} (${ZONE_RECORD_TYPES.join(', ')})`);
    }
  }
}

/** readRdata() returns the data that belongs to the type; the compiler can't follow that. */
function zoneRecord(
  name: Name,
  type: ZoneRecordType,
  ttl: number,
  data: RecordData[ZoneRecordType],
): ZoneRecord {
  return { name, type, ttl, data } as ZoneRecord;
}

function checkIsNewZone(zones: readonly ParsedZone[], name: Name, server: Name | undefined): void {
  if (zones.some((zone) => zone.name === name && zone.server === server)) {
    fail(`the zone ${name}. has begun before: it has one SOA record`);
  }
}

function addToZone(zone: (ParsedZone & { records: ZoneRecord[] }) | undefined, record: CachedRecord): void {
  if (zone === undefined || record.type === 'NXDOMAIN') fail('a zone begins with its SOA record');
  if (!isWithin(record.name, zone.name)) fail(`${record.name}. is not in the zone ${zone.name}.`);
  zone.records.push(record);
}
