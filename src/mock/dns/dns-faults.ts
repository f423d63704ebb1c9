import {
  type Check,
  findProblem,
  isObject,
  mustBe,
  mustBeText,
  problemError,
} from '../../options/check-options.js';
import { COUNT_CHECKS, takesEffect, type CountedFault } from '../service/fault.js';
import { createRandom } from '../service/random.js';
import { isWithin, readName, type Name } from './name.js';

/**
 * The action of a DNS fault.
 *
 * - `servfail`, `refused`: responds with this code.
 * - `nxdomain`: denies the name, although it may have records of other types.
 * - `bogus`: responds SERVFAIL to a query without CD, like a resolver that validates a zone with broken DNSSEC.
 * - `lame`: responds without AA and without records, like a server that does not have the zone.
 * - `drop`: does not respond.
 * - `truncate`: responds over UDP with TC and without records. Responds normally over TCP.
 * - `formerr-edns`: responds FORMERR to a query with EDNS.
 * - `wrong-id`: responds with an id other than the query's.
 * - `malformed`: responds with a packet whose last record is cut off.
 * - `{ delayMs }`: delays the response by milliseconds (more than 0), by the mock's clock. Adds to other delays.
 */
export type DnsFaultAction =
  | 'servfail'
  | 'refused'
  | 'nxdomain'
  | 'bogus'
  | 'lame'
  | 'drop'
  | 'truncate'
  | 'formerr-edns'
  | 'wrong-id'
  | 'malformed'
  | { delayMs: number };

const ACTIONS = 'servfail refused nxdomain bogus lame drop truncate formerr-edns wrong-id malformed'.split(
  ' ',
);

/** A fault that the mock DNS injects. */
export interface DnsFault {
  /**
   * A name, or `*.example.test` for all names below it.
   *
   * @default every name
   */
  name?: string | undefined;
  /**
   * A record type, such as `CAA`.
   *
   * @default every type
   */
  type?: string | undefined;
  /**
   * Host name or address of a name server, or `recursor` for the recursive resolvers.
   *
   * @default every server
   */
  server?: string | undefined;
  /**
   * Number of matching queries before the fault starts, 0 or more.
   *
   * @default 0
   */
  skip?: number | undefined;
  /**
   * Number of queries that the fault is applied to, 0 or more.
   *
   * @default all
   */
  times?: number | undefined;
  /**
   * Probability that the fault is applied to a matching query, 0 to 1. Depends on the mock's seed.
   *
   * @default 1
   */
  probability?: number | undefined;
  action: DnsFaultAction;
}

/** The properties of a query that faults match. */
export interface QueryDetails {
  name: Name;
  type: string;
  /** The values of `server` that match. */
  servers: readonly string[];
}

/** The active faults, with their counts. */
export interface DnsFaults {
  /** @throws TypeError if a fault is invalid. */
  set(faults: readonly DnsFault[]): void;
  list(): (DnsFault & { seen: number; applied: number })[];
  /** Counts a query of a client, and returns the actions that apply to it. */
  apply(query: QueryDetails): readonly DnsFaultAction[];
  /**
   * Returns the actions that apply to a query of the mock's own resolver. These are faults without `skip`,
   * `times` and `probability`: a client can't know how many queries the resolver sends.
   */
  permanent(query: QueryDetails): readonly DnsFaultAction[];
}

export function createDnsFaults(initial: readonly DnsFault[], seed: number): DnsFaults {
  let active: (CountedFault<DnsFault> & { matches: Matcher })[] = [];
  let random = createRandom(seed);
  const set = (faults: readonly DnsFault[]): void => {
    faults.forEach(checkDnsFault);
    active = faults.map((fault) => ({ fault, matches: matcherOf(fault), seen: 0, applied: 0 }));
    random = createRandom(seed);
  };
  set(initial);

  return {
    set,
    list: () => active.map(({ fault, seen, applied }) => ({ ...fault, seen, applied })),
    apply(query) {
      return active
        .filter(({ matches }) => matches(query))
        .filter((entry) => takesEffect(entry, random))
        .map(({ fault }) => fault.action);
    },
    permanent: (query) =>
      active
        .filter(({ fault: { skip, times, probability } }) => (skip ?? times ?? probability) === undefined)
        .filter(({ matches }) => matches(query))
        .map(({ fault }) => fault.action),
  };
}

type Matcher = (query: QueryDetails) => boolean;

function matcherOf({ name, type, server }: DnsFault): Matcher {
  const isPattern = name?.startsWith('*.') === true;
  const wantedName = name === undefined ? undefined : readName(isPattern ? name.slice(2) : name, '');
  const wantedType = type?.toUpperCase();
  const wantedServer = server?.toLowerCase().replace(/\.$/, '');
  return (query) => {
    if (wantedType !== undefined && wantedType !== query.type) return false;
    if (wantedServer !== undefined && !query.servers.includes(wantedServer)) return false;
    if (wantedName === undefined) return true;
    return isPattern
      ? query.name !== wantedName && isWithin(query.name, wantedName)
      : query.name === wantedName;
  };
}

const CHECKS = {
  name: mustBeText,
  type: mustBeText,
  server: mustBeText,
  ...COUNT_CHECKS,
  action: mustBe(`one of ${ACTIONS.join(', ')}, {delayMs}`, isAction),
} satisfies Record<keyof DnsFault, Check>;

function isAction(action: unknown): boolean {
  if (typeof action === 'string') return ACTIONS.includes(action);
  const { delayMs } = isObject(action) ? (action as { delayMs?: unknown }) : {};
  return typeof delayMs === 'number' && Number.isFinite(delayMs) && delayMs > 0;
}

/** Validates a fault, because plain JavaScript has no type check. */
function checkDnsFault(fault: DnsFault): void {
  const problem =
    findProblem(fault, CHECKS, { what: 'a fault', noun: 'property' }) ??
    CHECKS.action(fault.action, 'action');
  if (problem !== undefined)
    throw problemError({ ...problem, message: `Invalid DNS fault: ${problem.message}` });
}
