import { type RequestRecord, FOREIGN } from './service.js';

const MINUTE_MS = 60_000;
/** Duration of a ban of the mock. */
const BAN_MS = 300_000;

/** Results of a simulation. */
export interface Figures {
  sent: number;
  served: number;
  /** Our requests with a 429 response, by cause. */
  rateLimited: {
    /** Avoidable: the received headers were sufficient to know. */
    ours: number;
    /** Other users of the key, without the same gate, used up the remaining requests. */
    race: number;
    /** Before the first response. */
    uninformed: number;
  };
  bans: number;
  /** Requests sent before a received Retry-After, or before the reset after 0 remaining. */
  early: number;
  /** Used share of the quota in minutes that ended with work left, 0 to 1. 1 if there were none. */
  used: number;
  /** Fewest calls of a client divided by the most calls of a client. */
  fairness: number;
  /** Longest duration of a call, those in progress included, in milliseconds. */
  longestMs: number;
  /** Number of failed calls by error name. */
  failures: Record<string, number>;
}

/** What the figures are computed from. */
export interface Recording {
  requests: readonly RequestRecord[];
  /** Whether each process only knows its own responses. */
  isApart: boolean;
  /** Successful calls by client. */
  callsByClient: readonly number[];
  /** Minute and day limit at a time. */
  quotaAt: (now: number) => { minute: number; day: number };
  startAt: number;
  endAt: number;
  /** Ends of minutes with work left. */
  busyEnds: ReadonlySet<number>;
  longestMs: number;
  failures: Record<string, number>;
}

/** Computes the figures of a simulation. */
export function summarize(recording: Recording): Figures {
  const { requests, isApart, callsByClient } = recording;
  const own = requests.filter(({ process }) => process !== FOREIGN);
  const served = own.filter(({ status }) => status === 200);
  const groups = new Set(own.map(({ process }) => (isApart ? process : 0)));
  const rateLimited = { ours: 0, race: 0, uninformed: 0 };
  let early = 0;
  for (const group of groups) {
    const inGroup = (request: RequestRecord): boolean =>
      request.process !== FOREIGN && (!isApart || request.process === group);
    early += countEarly(requests.filter(inGroup));
    for (const cause of causesOf(requests, inGroup, recording)) rateLimited[cause] += 1;
  }
  return {
    sent: own.length,
    served: served.length,
    rateLimited,
    bans: countBans(requests),
    early,
    used: usedShare(recording),
    fairness: Math.max(...callsByClient) === 0 ? 1 : Math.min(...callsByClient) / Math.max(...callsByClient),
    longestMs: recording.longestMs,
    failures: recording.failures,
  };
}

/** Counts requests of a group that were sent before a time that any of the group had received. */
export function countEarly(group: readonly RequestRecord[]): number {
  const received = group
    .filter(({ receivedStep }) => receivedStep !== undefined)
    .sort((one, other) => one.receivedStep! - other.receivedStep!);
  let next = 0;
  let heldUntil = 0;
  let early = 0;
  for (const { sentAt, sentStep } of group) {
    for (; next < received.length && received[next]!.receivedStep! < sentStep; next += 1) {
      const { receivedAt, receivedLimit: { remaining, resetAt, retryAfterMs } = {} } = received[next]!;
      if (retryAfterMs !== undefined) heldUntil = Math.max(heldUntil, receivedAt! + retryAfterMs);
      if (remaining === 0 && resetAt !== undefined) heldUntil = Math.max(heldUntil, resetAt);
    }
    if (sentAt < heldUntil) early += 1;
  }
  return early;
}

/** Returns the cause of each 429 response to a group. */
function causesOf(
  requests: readonly RequestRecord[],
  inGroup: (request: RequestRecord) => boolean,
  { quotaAt }: Recording,
): (keyof Figures['rateLimited'])[] {
  const limited = requests.filter((request) => inGroup(request) && request.status === 429);
  if (limited.length === 0) return [];
  const informative = requests.filter(
    (request) => inGroup(request) && request.receivedLimit?.remaining !== undefined,
  );
  const arrived = requests
    .filter(({ arrivedAt }) => arrivedAt !== undefined)
    .sort((one, other) => one.arrivedAt! - other.arrivedAt!);
  return limited.map(({ sentStep, arrivedAt, banned }) => {
    const newest = newestBy(informative, sentStep);
    if (newest === undefined) return 'uninformed';
    const windowStart = Math.floor(arrivedAt! / MINUTE_MS) * MINUTE_MS;
    const sameWindow = newest.arrivedAt! >= windowStart;
    // A ban follows from several 429 responses, and lasts longer than the window.
    const since = sameWindow || banned === true ? newest.arrivedAt! : windowStart - 1;
    const between = arrived.filter((each) => each.arrivedAt! > since && each.arrivedAt! <= arrivedAt!);
    const others = between.filter((each) => !inGroup(each) && (banned === true || each.status === 200));
    if (others.length === 0) return 'ours';
    const left = sameWindow ? newest.receivedLimit!.remaining! : quotaAt(arrivedAt!).minute;
    return banned !== true && between.filter(inGroup).length > left ? 'ours' : 'race';
  });
}

/** The received response that the service sent last. */
function newestBy(informative: readonly RequestRecord[], step: number): RequestRecord | undefined {
  let last: RequestRecord | undefined;
  for (const request of informative) {
    if (request.receivedStep! < step && (last === undefined || request.arrivedAt! > last.arrivedAt!))
      last = request;
  }
  return last;
}

function countBans(requests: readonly RequestRecord[]): number {
  const banned = requests
    .filter((request) => request.banned === true)
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

function usedShare({ requests: requests, quotaAt, startAt, endAt, busyEnds }: Recording): number {
  const days = new Map<string, number>();
  let [used, quota] = [0, 0];
  for (let minute = startAt; minute < endAt; minute += MINUTE_MS) {
    const inMinute = requests.filter(
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
