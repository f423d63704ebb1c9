import type { OwnedClock } from '../service/clock.js';
import { createRing } from '../service/ring.js';
import { BUILT_IN_NAMES, type BuiltInName } from './built-in-names.js';
import { BUILT_IN_FAULTS, BUILT_IN_ZONES } from './built-in-zones.js';
import { createDnsFaults, type DnsFault } from './dns-faults.js';
import { createDnsHandler, type DnsHandler, type DnsJournalEntry } from './dns-handler.js';
import { listenDns, type DnsServer } from './listen-dns.js';
import { readName } from './name.js';
import { createNameServers } from './name-servers.js';
import { isZoneRecordType, TYPE_NUMBERS } from './record.js';
import { readSeconds } from './rdata.js';
import { readRecord, readZoneFile, type ZoneFile } from './zone-file.js';

/** Options of the mock DNS. */
export interface DnsOptions {
  /**
   * Zone files (RFC 1035, section 5), each with any number of zones. They add to the built-in zones, and replace zones of
   * the same name. Their name servers get loopback addresses.
   *
   * @default []
   */
  zones?: readonly string[] | undefined;
  /**
   * Faults to inject, in addition to those of the built-in zones.
   *
   * @default []
   */
  faults?: readonly DnsFault[] | undefined;
  /**
   * Number of queries that the journal keeps, at least 1.
   *
   * @default 1000
   */
  journalMax?: number | undefined;
}

/** Options of `MockDns.setRecords`. */
export interface DnsRecordChange {
  /**
   * TTL in seconds.
   *
   * @default 3600
   */
  ttl?: number | undefined;
  /**
   * Host name of one name server, to change only its copy of the zone.
   *
   * @default all name servers of the zone
   */
  server?: string | undefined;
}

/** The state of the mock DNS. */
export interface DnsState {
  /** Address and port of the resolver and of the first name server. Present after `listen`. */
  endpoint?: { host: string; port: number };
  /** The names of all zones. The root is `''`. */
  zones: readonly string[];
  /** The loopback addresses of the name servers. */
  addresses: readonly string[];
  /**
   * The faults, without those of the built-in zones. `seen`: queries that matched the fault. `applied`: queries that it was applied to.
   */
  faults: readonly (DnsFault & { seen: number; applied: number })[];
  /** `dropped`: queries that the journal no longer keeps. */
  journal: { entries: number; dropped: number };
  /** The last queries, oldest first, at most 100. */
  questions: readonly DnsJournalEntry[];
}

/** A mock DNS: root, name servers and recursive resolvers on loopback addresses, with TTLs by the mock's clock. */
export interface MockDns {
  /** The last queries, oldest first, at most `journalMax`. */
  readonly journal: readonly DnsJournalEntry[];
  /** The names in the built-in zones, and what each demonstrates. */
  readonly names: readonly BuiltInName[];
  /**
   * Replaces the records of one type at a name, and increments the zone's serial. Resolvers keep their caches.
   *
   * @param values the data as in a zone file, such as `cname.platform.test` or `10 mx.example.test`. An empty list removes
   *   the records.
   * @throws TypeError if a value is invalid, or no zone contains the name.
   * @example
   * ```ts
   * mock.dns?.setRecords('shop.example.test', 'CNAME', ['cname.platform.test'], { ttl: 60 });
   * ```
   */
  setRecords(name: string, type: string, values: readonly string[], change?: DnsRecordChange): void;
  /**
   * Adds the zones of a zone file, and replaces zones of the same name. Undoes all changes by `setRecords`, and clears the
   * caches of the resolvers.
   *
   * @throws TypeError `line 7: …` if the text is invalid.
   */
  addZones(text: string): void;
  /**
   * Replaces all faults except those of the built-in zones.
   *
   * @throws TypeError if a fault is invalid.
   */
  setFaults(faults: readonly DnsFault[]): void;
  /** Returns the state as plain data. */
  state(): DnsState;
}

/** The mock DNS with the methods that only the mock uses. */
export interface DnsService extends MockDns {
  /** Restores the initial state. */
  reset(): void;
  /** @param port 0 means any free port. */
  listen(port: number): Promise<DnsServer>;
}

const QUESTIONS_IN_STATE_MAX = 100;

/** The built-in zones. Only a cache: nothing changes a parsed file. */
let builtIn: ZoneFile | undefined;

/** @throws TypeError if an option is invalid. */
export function createDns(
  clock: OwnedClock,
  seed: number,
  { zones = [], faults: initialFaults = [], journalMax = 1_000 }: DnsOptions = {},
): DnsService {
  const journal = createRing(
    journalMax,
    (sequence, entry: Omit<DnsJournalEntry, 'sequence'>): DnsJournalEntry => ({ sequence, ...entry }),
  );
  const faults = createDnsFaults([...BUILT_IN_FAULTS, ...initialFaults], seed);
  builtIn ??= readZoneFile(BUILT_IN_ZONES);
  const initial = [builtIn, ...zones.map(readZoneFile)];
  let files = initial;
  let bound: ReadonlySet<string> | undefined;
  let endpoint: DnsState['endpoint'];
  let running = start();

  function start(): { handle: DnsHandler; nameServers: ReturnType<typeof createNameServers> } {
    const nameServers = createNameServers(files.map((file) => file.zones));
    if (bound !== undefined) nameServers.bind(bound);
    const cached = files.flatMap((file: ZoneFile) => file.cached);
    const handle = createDnsHandler({ nameServers, cached, faults, journal, now: clock.now() });
    return { handle, nameServers };
  }

  return {
    get journal() {
      return journal.entries();
    },
    names: BUILT_IN_NAMES,
    setRecords(name, type, values, { ttl = 3_600, server } = {}) {
      const owner = readName(name, '');
      const upper = type.toUpperCase();
      if (!isZoneRecordType(upper) || upper === 'SOA') {
        const known = Object.keys(TYPE_NUMBERS).filter((code) => code !== 'SOA');
        throw new TypeError(`Unknown record type: ${type} (known: ${known.join(', ')})`);
      }
      const seconds = readSeconds(String(ttl));
      const records = values.map((value) => readRecord(owner, upper, seconds, value));
      running.nameServers.setRecords(
        owner,
        upper,
        records,
        server === undefined ? undefined : readName(server, ''),
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
      ...(endpoint === undefined ? {} : { endpoint }),
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
        { clock, handle: (packet, endpoint, now) => running.handle(packet, endpoint, now) },
        { port, addresses: running.nameServers.addresses },
      );
      const ownEndpoint = { host: server.host, port: server.port };
      bound = new Set(server.addresses);
      endpoint = ownEndpoint;
      running.nameServers.bind(bound);
      return {
        ...server,
        close() {
          if (endpoint === ownEndpoint) endpoint = undefined;
          return server.close();
        },
      };
    },
  };
}
