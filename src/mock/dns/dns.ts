import type { VirtualClock } from '../service/clock.js';
import { BUILT_IN_FAULTS, BUILT_IN_NAMES, BUILT_IN_ZONES, type BuiltInName } from './built-in-zones.js';
import { createDnsFaults, type DnsFault } from './fault.js';
import { createDnsHandler, type DnsHandler } from './handler.js';
import { createDnsJournal, type DnsJournalEntry } from './journal.js';
import { listenDns, type DnsServer } from './listen.js';
import { readName, type Name } from './name.js';
import { createNameServers } from './name-servers.js';
import { isZoneRecordType, ZONE_RECORD_TYPES } from './record.js';
import { readRecord, readZoneFile, type ZoneFile } from './zone-file.js';

/** How to set up a mock's DNS. */
export interface DnsOptions {
  /**
   * Zone files, each with any number of zones. They come on top of the built-in zones, and replace those of the same name.
   * Each name server of theirs gets a loopback address in place of a real one.
   */
  zones?: readonly string[];
  /** What goes wrong, besides what the built-in zones show. */
  faults?: readonly DnsFault[];
  /** Questions kept in the journal. Default 1,000. */
  journalMax?: number;
}

/** Records to set. */
export interface DnsRecordChange {
  /** Seconds. Default 3,600. */
  ttl?: number;
  /** Change only the copy of this name server of the zone; the others are behind. Default: all copies. */
  server?: string;
}

/** How a mock's DNS stands. */
export interface DnsState {
  /** The names of all zones; the root is empty. */
  zones: readonly string[];
  /** Where its name servers are. */
  addresses: readonly string[];
  /** Those of the built-in zones left out. */
  faults: readonly (DnsFault & { seen: number; struck: number })[];
  journal: { entries: number; dropped: number };
  /** The last questions, oldest first, at most 100. */
  questions: readonly DnsJournalEntry[];
}

/** The DNS side of a mock: an Internet of its own below loopback addresses, in virtual time. */
export interface MockDns {
  /** The questions seen, oldest first. */
  readonly journal: readonly DnsJournalEntry[];
  /** The names that are there from the start, and what each is there for. */
  readonly names: readonly BuiltInName[];
  /**
   * Replaces the records of a type at a name, and counts the zone's serial up. Resolvers go on with what they remember.
   *
   * @param values as in a zone file behind the type, such as `cname.platform.test` or `10 mx.example.test`; none at all
   *   takes the records away.
   * @throws TypeError where one is wrong, or no zone holds the name.
   */
  setRecords(name: string, type: string, values: readonly string[], change?: DnsRecordChange): void;
  /**
   * Adds the zones of a zone file, or replaces those of the same name. What `setRecords` did to other zones is undone;
   * resolvers forget what they remembered.
   *
   * @throws TypeError `line 7: …` where the text is wrong.
   */
  addZones(text: string): void;
  /** Replaces the faults, those of the built-in zones excepted. */
  setFaults(faults: readonly DnsFault[]): void;
  state(): DnsState;
}

/** A mock's DNS, for the mock itself. */
export interface DnsService extends MockDns {
  /** Everything back to the beginning. */
  reset(): void;
  /** @param port 0 for any free one. */
  listen(port: number): Promise<DnsServer>;
}

const QUESTIONS_IN_STATE_MAX = 100;

/** @throws TypeError where an option is wrong. */
export function createDns(
  clock: VirtualClock,
  seed: number,
  { zones = [], faults: initialFaults = [], journalMax = 1_000 }: DnsOptions = {},
): DnsService {
  const journal = createDnsJournal(journalMax);
  const faults = createDnsFaults([...BUILT_IN_FAULTS, ...initialFaults], seed);
  const initial = [BUILT_IN_ZONES, ...zones].map(readZoneFile);
  let files = initial;
  let bound: ReadonlySet<string> | undefined;
  let running = start();

  function start(): { handle: DnsHandler; nameServers: ReturnType<typeof createNameServers> } {
    const nameServers = createNameServers(files.map((file) => file.zones));
    if (bound !== undefined) nameServers.bind(bound);
    const remembered = files.flatMap((file: ZoneFile) => file.cached);
    const handle = createDnsHandler({ nameServers, cached: remembered, faults, journal, now: clock.now() });
    return { handle, nameServers };
  }

  return {
    get journal() {
      return journal.entries();
    },
    names: BUILT_IN_NAMES,
    setRecords(name, type, values, { ttl = 3_600, server } = {}) {
      const owner = hostName(name);
      const upper = type.toUpperCase();
      if (!isZoneRecordType(upper) || upper === 'SOA') {
        const known = ZONE_RECORD_TYPES.filter((code) => code !== 'SOA');
        throw new TypeError(`no such record type: ${type} (${known.sort().join(', ')})`);
      }
      const records = values.map((value) => readRecord(owner, upper, ttl, value));
      running.nameServers.setRecords(
        owner,
        upper,
        records,
        server === undefined ? undefined : hostName(server),
      );
    },
    addZones(text) {
      files = [...files, readZoneFile(text)];
      running = start();
    },
    setFaults(next) {
      faults.set([...BUILT_IN_FAULTS, ...next]);
    },
    state: () => ({
      zones: running.nameServers.zoneNames,
      addresses: running.nameServers.addresses,
      faults: faults.list().slice(BUILT_IN_FAULTS.length),
      journal: { entries: journal.size, dropped: journal.dropped },
      questions: journal.entries().slice(-QUESTIONS_IN_STATE_MAX),
    }),
    reset() {
      files = initial;
      running = start();
      faults.set([...BUILT_IN_FAULTS, ...initialFaults]);
      journal.clear();
    },
    async listen(port) {
      const server = await listenDns(
        { clock, handle: (packet, arrival, now) => running.handle(packet, arrival, now) },
        { port, addresses: running.nameServers.addresses },
      );
      bound = new Set(server.addresses);
      running.nameServers.bind(bound);
      return server;
    },
  };
}

function hostName(text: string): Name {
  return readName(text, '');
}
