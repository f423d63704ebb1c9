import { isWithin, readName, type Name } from './name.js';
import { readRdata, readSeconds, type Word } from './rdata.js';
import { isZoneRecordType, TYPE_NUMBERS, type ZoneRecord, type ZoneRecordType } from './record.js';

/** The content of a zone file. */
export interface ZoneFile {
  zones: readonly ParsedZone[];
  /** Initial cache of the recursive resolver at 127.0.0.1. */
  cached: readonly CachedRecord[];
}

/** A zone, or one name server's copy of it. */
export interface ParsedZone {
  name: Name;
  /** The name server of a copy. Absent for the copy of all other servers. */
  server?: Name;
  /** The first is the SOA record. */
  records: readonly ZoneRecord[];
}

/** A cached record, or the cached absence of a name. */
export type CachedRecord = ZoneRecord | { name: Name; type: 'NXDOMAIN'; ttl: number };

const TTL_DEFAULT = 3_600;

/**
 * Parses a zone file (RFC 1035, section 5) with BIND's syntax: `$ORIGIN`, `$TTL`, `@`, relative names, comments,
 * parentheses, times such as `1h`, and the types of `TYPE_NUMBERS`. Accepts data that real servers reject, such as a
 * CNAME with an A record, because the mock demonstrates such errors.
 *
 * Extensions of the mock:
 *
 * - A file contains any number of zones. Each starts with its SOA record.
 * - `$SERVER host` before an SOA record: the zone is the copy of this name server only.
 * - `$REMEMBERED`: the records that follow are the initial cache of the recursive resolver. `name TTL NXDOMAIN` is a cached
 *   absence.
 *
 * @throws TypeError `line 7: …` if the text is invalid.
 */
export function readZoneFile(text: string): ZoneFile {
  const state: ParserState = {
    origin: '',
    ttl: TTL_DEFAULT,
    owner: undefined,
    section: undefined,
    server: undefined,
  };
  const zones: (ParsedZone & { records: ZoneRecord[]; line: number })[] = [];
  const cached: CachedRecord[] = [];
  for (const entry of entriesOf(text)) {
    withLine(entry.line, () => {
      if (entry.words[0]?.text.startsWith('$') === true) {
        readDirective(state, entry.words);
        return;
      }
      const record = recordOf(state, entry);
      if (record.type === 'SOA') {
        const { server } = state;
        if (zones.some((zone) => zone.name === record.name && zone.server === server))
          fail(`the zone ${record.name}. has a second SOA record`);
        zones.push({
          name: record.name,
          ...(server === undefined ? {} : { server }),
          records: [record],
          line: entry.line,
        });
        state.section = 'zone';
        state.server = undefined;
      } else if (state.section === 'cached') cached.push(record);
      else addToZone(zones.at(-1), record);
    });
  }
  for (const { name, records, line } of zones) {
    withLine(line, () => {
      if (!records.some((record) => record.type === 'NS' && record.name === name)) {
        throw new TypeError(`the zone ${name}. has no NS record at its apex`);
      }
    });
  }
  return { zones, cached };
}

interface ParserState {
  origin: Name;
  ttl: number;
  owner: Name | undefined;
  section: 'zone' | 'cached' | undefined;
  server: Name | undefined;
}

interface Entry {
  line: number;
  /** Whether the entry starts with a blank: its owner is that of the previous entry. */
  isContinued: boolean;
  words: Word[];
}

function withLine<Value>(line: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`line ${String(line)}: ${error.message}`);
    throw error;
  }
}

/** Splits a text into entries: lines, or several lines joined by parentheses. */
function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let open: Entry | undefined;
  let depth = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = (open ??= { line: index + 1, isContinued: /^[ \t]/.test(line), words: [] });
    for (const [token, , quoted] of line.matchAll(TOKEN)) {
      if (token === '(') depth += 1;
      else if (token === ')') depth -= 1;
      else if (token.startsWith('"') && quoted === undefined) {
        withLine(index + 1, () => fail('a quotation mark is not closed'));
      } else if (!token.startsWith(';'))
        entry.words.push({ text: quoted ?? token, quoted: quoted !== undefined });
      if (depth < 0) withLine(index + 1, () => fail('a closing parenthesis has no opening one'));
    }
    if (depth > 0) return;
    if (entry.words.length > 0) entries.push(entry);
    open = undefined;
  });
  if (depth > 0) withLine(open?.line ?? 0, () => fail('a parenthesis is not closed'));
  return entries;
}

/**
 * Parses the data of one record. Names are absolute, also without a final dot.
 *
 * @throws TypeError if it is invalid.
 */
export function readRecord(name: Name, type: ZoneRecordType, ttl: number, value: string): ZoneRecord {
  const words = entriesOf(value).flatMap((entry) => entry.words);
  return { name, type, ttl, data: readRdata(type, words, '') };
}

/** A comment, a parenthesis, a quoted string (closed or not), or a word, in which a backslash escapes the next character. */
const TOKEN = /;.*|[()]|("((?:[^"\\]|\\.)*)"|".*)|(?:[^\s;()"\\]|\\.)(?:[^\s;()\\]|\\.)*/g;

function fail(problem: string): never {
  throw new TypeError(problem);
}

function readDirective(state: ParserState, [first, argument, surplus]: readonly Word[]): void {
  const keyword = first?.text.toUpperCase();
  const value = (): string =>
    argument === undefined || surplus !== undefined
      ? fail(`${String(keyword)} takes one value`)
      : argument.text;
  if (keyword === '$ORIGIN') state.origin = readName(value(), state.origin);
  else if (keyword === '$TTL') state.ttl = readSeconds(value());
  else if (keyword === '$SERVER') state.server = readName(value(), state.origin);
  else if (keyword === '$REMEMBERED') state.section = 'cached';
  else fail(`unknown directive: ${String(first?.text)} (known: $ORIGIN, $TTL, $SERVER, $REMEMBERED)`);
}

function recordOf(state: ParserState, { isContinued, words }: Entry): CachedRecord {
  const rest = [...words];
  if (!isContinued) state.owner = readName(rest.shift()?.text ?? '', state.origin);
  const { owner: name = fail('the name is missing') } = state;
  let { ttl } = state;
  for (;;) {
    const { text = fail('the type is missing'), quoted } = rest.shift() ?? {};
    const type = text.toUpperCase();
    if (/^\d/.test(text) && quoted !== true) ttl = readSeconds(text);
    else if (type === 'NXDOMAIN' && state.section === 'cached') return { name, type, ttl };
    else if (isZoneRecordType(type)) return { name, type, ttl, data: readRdata(type, rest, state.origin) };
    else if (['CH', 'HS', 'CS'].includes(type)) fail(`unsupported class: ${text} (supported: IN)`);
    else if (type !== 'IN') {
      fail(`unknown record type: ${text} (known: ${Object.keys(TYPE_NUMBERS).join(', ')})`);
    }
  }
}

function addToZone(zone: (ParsedZone & { records: ZoneRecord[] }) | undefined, record: CachedRecord): void {
  if (zone === undefined || record.type === 'NXDOMAIN') fail('a zone starts with its SOA record');
  if (!isWithin(record.name, zone.name)) fail(`${record.name}. is not in the zone ${zone.name}.`);
  zone.records.push(record);
}
