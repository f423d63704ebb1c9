import { type Exchange, FOREIGN } from './service.js';

const MINUTE_MS = 60_000;
/** How long the mock bans a key. */
const BAN_MS = 300_000;

/** What came out of a simulation. */
export interface Figures {
  sent: number;
  served: number;
  /** Requests of ours that were answered 429. */
  refused: {
    /** By our own doing: what had been told was enough to know better. */
    ours: number;
    /** Because others on the key, who share no gate with the sender, took what had been told as left. */
    race: number;
    /** Before the first header had come. */
    uninformed: number;
  };
  bans: number;
  /** Requests sent before the time that a 429, or an answer with nothing remaining, had told the sender. */
  early: number;
  /** Share of the quota that was used in the minutes that ended with work left over, 0 to 1; 1 where none did. */
  used: number;
  /** Calls done of the client that got least, as a share of those of the one that got most. */
  fairness: number;
  /** The longest that a call took or had taken at the end, in milliseconds. */
  longestMs: number;
  /** What calls ended with that did not succeed, by name. */
  failures: Record<string, number>;
}

/** What figures are made of. */
export interface Played {
  exchanges: readonly Exchange[];
  /** Whether each process knows but what it was told itself. */
  apart: boolean;
  /** Calls that succeeded, by client. */
  doneOf: readonly number[];
  /** Quota of the minute and of the day at a time. */
  quotaAt: (now: number) => { minute: number; day: number };
  startAt: number;
  endAt: number;
  /** Ends of minutes with work left over. */
  busyEnds: ReadonlySet<number>;
  longestMs: number;
  failures: Record<string, number>;
}

/** Sums a simulation up. */
export function figuresOf(played: Played): Figures {
  const { exchanges, apart, doneOf } = played;
  const own = exchanges.filter(({ process }) => process !== FOREIGN);
  const served = own.filter(({ status }) => status === 200);
  const groups = new Set(own.map(({ process }) => (apart ? process : 0)));
  const refused = { ours: 0, race: 0, uninformed: 0 };
  let early = 0;
  for (const group of groups) {
    const inGroup = (exchange: Exchange): boolean =>
      exchange.process !== FOREIGN && (!apart || exchange.process === group);
    early += countEarly(exchanges.filter(inGroup));
    for (const cause of causesOf(exchanges, inGroup, played)) refused[cause] += 1;
  }
  return {
    sent: own.length,
    served: served.length,
    refused,
    bans: countBans(exchanges),
    early,
    used: usedShare(played),
    fairness: Math.max(...doneOf) === 0 ? 1 : Math.min(...doneOf) / Math.max(...doneOf),
    longestMs: played.longestMs,
    failures: played.failures,
  };
}

/** Requests of one group that left before what any of the group had been told. */
function countEarly(group: readonly Exchange[]): number {
  const received = group
    .filter(({ receivedStep }) => receivedStep !== undefined)
    .sort((one, other) => one.receivedStep! - other.receivedStep!);
  let next = 0;
  let toldUntil = 0;
  let early = 0;
  for (const { sentAt, sentStep } of group) {
    for (; next < received.length && received[next]!.receivedStep! < sentStep; next += 1) {
      const { receivedAt, told: { remaining, resetAt, retryAfterMs } = {} } = received[next]!;
      if (retryAfterMs !== undefined) toldUntil = Math.max(toldUntil, receivedAt! + retryAfterMs);
      if (remaining === 0 && resetAt !== undefined) toldUntil = Math.max(toldUntil, resetAt);
    }
    if (sentAt < toldUntil) early += 1;
  }
  return early;
}

/** Why each 429 of a group came about. */
function causesOf(
  exchanges: readonly Exchange[],
  inGroup: (exchange: Exchange) => boolean,
  { quotaAt }: Played,
): (keyof Figures['refused'])[] {
  const informative = exchanges.filter(
    (exchange) => inGroup(exchange) && exchange.told?.remaining !== undefined,
  );
  const arrived = exchanges
    .filter(({ arrivedAt }) => arrivedAt !== undefined)
    .sort((one, other) => one.arrivedAt! - other.arrivedAt!);
  return exchanges
    .filter((exchange) => inGroup(exchange) && exchange.status === 429)
    .map(({ sentStep, arrivedAt, banned }) => {
      const newest = newestBy(informative, sentStep);
      if (newest === undefined) return 'uninformed';
      const windowStart = Math.floor(arrivedAt! / MINUTE_MS) * MINUTE_MS;
      const sameWindow = newest.arrivedAt! >= windowStart;
      // A ban comes of all refusals on the way to it, and lasts beyond its window.
      const since = sameWindow || banned === true ? newest.arrivedAt! : windowStart - 1;
      const between = arrived.filter((each) => each.arrivedAt! > since && each.arrivedAt! <= arrivedAt!);
      const others = between.filter((each) => !inGroup(each) && (banned === true || each.status === 200));
      if (others.length === 0) return 'ours';
      const left = sameWindow ? newest.told!.remaining! : quotaAt(arrivedAt!).minute;
      return banned !== true && between.filter(inGroup).length > left ? 'ours' : 'race';
    });
}

/** Of what had come back by then, the answer that the service wrote last. */
function newestBy(informative: readonly Exchange[], step: number): Exchange | undefined {
  let last: Exchange | undefined;
  for (const exchange of informative) {
    if (exchange.receivedStep! < step && (last === undefined || exchange.arrivedAt! > last.arrivedAt!))
      last = exchange;
  }
  return last;
}

function countBans(exchanges: readonly Exchange[]): number {
  const banned = exchanges
    .filter((exchange) => exchange.banned === true)
    .sort((one, other) => one.arrivedAt! - other.arrivedAt!);
  let bans = 0;
  let endsAt = 0;
  for (const { arrivedAt } of banned) {
    if (arrivedAt! >= endsAt) {
      bans += 1;
      endsAt = arrivedAt! + BAN_MS;
    }
  }
  return bans;
}

function usedShare({ exchanges, quotaAt, startAt, endAt, busyEnds }: Played): number {
  const days = new Map<string, number>();
  let [used, quota] = [0, 0];
  for (let minute = startAt; minute < endAt; minute += MINUTE_MS) {
    const inMinute = exchanges.filter(
      ({ status, arrivedAt }) => status === 200 && arrivedAt! >= minute && arrivedAt! < minute + MINUTE_MS,
    );
    const foreign = inMinute.filter(({ process }) => process === FOREIGN).length;
    const limits = quotaAt(minute);
    const day = `${String(Math.floor(minute / 86_400_000))} ${String(limits.day)}`;
    const usedToday = days.get(day) ?? 0;
    days.set(day, usedToday + inMinute.length);
    if (!busyEnds.has(minute + MINUTE_MS)) continue;
    used += inMinute.length - foreign;
    quota += Math.min(limits.minute, limits.day - usedToday) - foreign;
  }
  return quota === 0 ? 1 : used / quota;
}
