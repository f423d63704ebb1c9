import { createRandom } from '../service/random.js';
import { isWithin, readName, type Name } from './name.js';

/**
 * What goes wrong with an answer.
 *
 * - `servfail`, `refused`: this instead of the answer.
 * - `lame`: an answer without authority and without records, as by a server that does not have the zone.
 * - `drop`: no answer at all.
 * - `truncate`: over UDP nothing but the sign that there is more (TC); over TCP the answer.
 * - `formerr-edns`: a query with EDNS is not understood.
 * - `wrong-id`: the answer bears another id than the query.
 * - `malformed`: the answer's last record runs over its end.
 * - `{ delayMs }`: the answer comes later, by the mock's clock. Adds to other faults.
 */
export type DnsFaultAction = (typeof ACTIONS)[number] | { delayMs: number };

const ACTIONS = [
  'servfail',
  'refused',
  'lame',
  'drop',
  'truncate',
  'formerr-edns',
  'wrong-id',
  'malformed',
] as const;

/** One fault of the mock's DNS: where, how often, what. */
export interface DnsFault {
  /** A name, or `*.example.test` for those below it. Default: every name. */
  name?: string;
  /** Such as `CAA`. Default: every type. */
  type?: string;
  /** A name server's host or address, or `recursor` for the recursive resolver. Default: all of them. */
  server?: string;
  /** How many matching questions go well before the first fault. Default 0. */
  skip?: number;
  /** How many matching questions it strikes; then it is spent. Default: all. */
  times?: number;
  /** Chance that a matching question is struck, 0 to 1, drawn from the mock's seed. Default 1. */
  probability?: number;
  action: DnsFaultAction;
}

/** A question, as far as faults look at it. */
export interface QueryDetails {
  name: Name;
  type: string;
  /** The names that faults can call the server by. */
  servers: readonly string[];
}

/** The faults in force, and how far they are spent. */
export interface DnsFaults {
  /** @throws TypeError where one is wrong. */
  set(faults: readonly DnsFault[]): void;
  list(): (DnsFault & { seen: number; struck: number })[];
  /** What strikes a question of a client. Counts it. */
  apply(circumstances: QueryDetails): readonly DnsFaultAction[];
  /**
   * What strikes the mock's own resolver when it asks. Without those faults that are counted or drawn: a client could not
   * know how often it asks.
   */
  permanent(circumstances: QueryDetails): readonly DnsFaultAction[];
}

export function createDnsFaults(initial: readonly DnsFault[], seed: number): DnsFaults {
  let active: { fault: DnsFault; matches: Matcher; seen: number; struck: number }[] = [];
  let random = createRandom(seed);
  const set = (faults: readonly DnsFault[]): void => {
    faults.forEach(checkDnsFault);
    active = faults.map((fault) => ({ fault, matches: matcherOf(fault), seen: 0, struck: 0 }));
    random = createRandom(seed);
  };
  set(initial);

  return {
    set,
    list: () => active.map(({ fault, seen, struck }) => ({ ...fault, seen, struck })),
    apply(circumstances) {
      return active
        .filter(({ matches }) => matches(circumstances))
        .filter((entry) => {
          const { skip = 0, times = Infinity, probability = 1 } = entry.fault;
          entry.seen += 1;
          if (entry.seen <= skip || entry.struck >= times) return false;
          if (probability < 1 && random() >= probability) return false;
          entry.struck += 1;
          return true;
        })
        .map(({ fault }) => fault.action);
    },
    permanent: (circumstances) =>
      active
        .filter(({ fault: { skip, times, probability } }) => (skip ?? times ?? probability) === undefined)
        .filter(({ matches }) => matches(circumstances))
        .map(({ fault }) => fault.action),
  };
}

type Matcher = (asked: QueryDetails) => boolean;

function matcherOf({ name, type, server }: DnsFault): Matcher {
  const below = name?.startsWith('*.') === true;
  const wantedName = name === undefined ? undefined : readName(below ? name.slice(2) : name, '');
  const wantedType = type?.toUpperCase();
  const wantedServer = server?.toLowerCase().replace(/\.$/, '');
  return (asked) => {
    if (wantedType !== undefined && wantedType !== asked.type) return false;
    if (wantedServer !== undefined && !asked.servers.includes(wantedServer)) return false;
    if (wantedName === undefined) return true;
    return below ? asked.name !== wantedName && isWithin(asked.name, wantedName) : asked.name === wantedName;
  };
}

/** Faults also come as JSON by the control door, where no compiler has looked. */
function checkDnsFault(fault: DnsFault): void {
  const refuse = (what: string): never => {
    throw new TypeError(`not a fault of DNS: ${what}`);
  };
  if (typeof fault !== 'object' || (fault as DnsFault | null) === null) refuse('not an object');
  for (const field of ['name', 'type', 'server'] as const) {
    if (!['string', 'undefined'].includes(typeof fault[field])) refuse(`${field} is not a text`);
  }
  for (const field of ['skip', 'times'] as const) {
    const value = fault[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      refuse(`${field} is not a whole number`);
  }
  const { probability = 1, action } = fault;
  if (!(probability >= 0 && probability <= 1)) refuse('probability is not between 0 and 1');
  const known: readonly unknown[] = ACTIONS;
  if (!known.includes(action) && !isDelay(action)) {
    refuse(`the action is none of ${ACTIONS.join(', ')}, {delayMs}`);
  }
}

function isDelay(action: unknown): boolean {
  if (typeof action !== 'object' || action === null || !('delayMs' in action)) return false;
  return typeof action.delayMs === 'number' && Number.isFinite(action.delayMs) && action.delayMs > 0;
}
