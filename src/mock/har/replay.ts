import { editDistance } from '../../options/suggest.js';
import { parseJson } from '../../schema/json.js';
import { MockDataError } from '../pets/snapshot.js';
import { errorJson, type MockRequest, type MockResponse } from '../service/message.js';
import { comparablePath, type LeftOutReason, readHar, REDACTED, type RecordedExchange } from './har.js';

/** What a recording contains. */
export interface ReplayState {
  entries: number;
  /** The entries that can't be replayed, counted by reason. Requests for them get 501. */
  leftOut: readonly { reason: LeftOutReason; count: number }[];
}

/** Responds from a recording. */
export interface Replay {
  /**
   * Finds the next response to this request: equal requests get their responses in the recorded order, and then the last
   * one again. An unknown request gets 501, and so does one whose entries can't be replayed.
   *
   * @param path encoded.
   * @param tenant each number has its own position in the recording.
   * @returns `undefined` closes the connection.
   */
  respond(
    request: Pick<MockRequest, 'method' | 'headers' | 'body'> & { path: string; query: string },
    tenant: number,
  ): MockResponse | undefined;
  readonly state: ReplayState;
  /** Starts again with the first responses. */
  reset(): void;
}

/** Requests that a 501 response compares with. */
const COMPARED_MAX = 1_000;
/** Characters of a request that a 501 response compares and shows. */
const SHOWN_MAX = 200;

/** @throws MockDataError if it is not a HAR archive. */
export function createReplay(har: unknown): Replay {
  const entries = readEntries(har);
  let usedByTenant = new Map<number, Set<RecordedExchange>>();

  return {
    state: { entries: entries.length, leftOut: countLeftOut(entries) },
    respond({ method, headers, path: encodedPath, query, body = '' }, tenant) {
      const path = comparablePath(encodedPath);
      const candidates = entries.filter((entry) => entry.method === method && entry.path === path);
      const found = candidates.filter(
        (entry) => isSameQuery(entry.query, query) && isSameBody(entry.body, body),
      );
      const used = usedByTenant.get(tenant) ?? new Set();
      usedByTenant.set(tenant, used);
      const usable = found.filter((entry) => problemOf(entry, headers) === undefined);
      const entry = usable.find((each) => !used.has(each)) ?? usable.at(-1);
      if (entry !== undefined) {
        used.add(entry);
        return typeof entry.response === 'string' ? undefined : entry.response;
      }
      const [first] = found;
      const route = `${method} ${path}`;
      if (first === undefined) return notRecorded(nearestMessage(route, query, candidates, entries));
      const reason = problemOf(first, headers) ?? '';
      return notRecorded(`${first.place}, ${shown(route, query)}, can't be replayed: ${reason}`);
    },
    reset() {
      usedByTenant = new Map();
    },
  };
}

function readEntries(har: unknown): readonly RecordedExchange[] {
  try {
    return readHar(har);
  } catch (error) {
    throw error instanceof TypeError ? new MockDataError('replay', error.message, error) : error;
  }
}

/** Why the response of an entry is not sent. */
function problemOf({ response }: RecordedExchange, headers: MockRequest['headers']): string | undefined {
  if (typeof response === 'string') return response;
  // The browser had a copy. The client of another request has none.
  const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers;
  return response?.status === 304 && !isConditional ? '304, for a request with a condition' : undefined;
}

function countLeftOut(entries: readonly RecordedExchange[]): ReplayState['leftOut'] {
  const counts = new Map<LeftOutReason, number>();
  for (const { response } of entries) {
    if (typeof response === 'string') counts.set(response, (counts.get(response) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

function notRecorded(message: string): MockResponse {
  const body = errorJson(501, 'not_recorded', message);
  return { status: 501, headers: { 'content-type': 'application/json' }, body };
}

function nearestMessage(
  route: string,
  query: string,
  candidates: readonly RecordedExchange[],
  entries: readonly RecordedExchange[],
): string {
  const line = shown(route, query);
  const nearest = nearestTo(line, candidates.length > 0 ? candidates : entries);
  if (nearest === undefined) return `The recording has no entry for ${line}, and no other entries`;
  const other = lineOf(nearest);
  const body = other === line ? ', with another body' : '';
  return `The recording has no entry for ${line}. The nearest is ${nearest.place}: ${other}${body}`;
}

function nearestTo(line: string, entries: readonly RecordedExchange[]): RecordedExchange | undefined {
  let nearest: RecordedExchange | undefined;
  let distance = Infinity;
  const lines = new Set<string>();
  for (const entry of entries) {
    const candidate = lineOf(entry);
    if (lines.has(candidate)) continue;
    lines.add(candidate);
    if (lines.size > COMPARED_MAX) break;
    const each = editDistance(line, candidate, Math.min(distance, 2 * SHOWN_MAX));
    if (nearest !== undefined && each >= distance) continue;
    nearest = entry;
    distance = each;
  }
  return nearest;
}

function lineOf({ method, path, query }: RecordedExchange): string {
  return shown(`${method} ${path}`, query);
}

function shown(route: string, query: string): string {
  return (query === '' ? route : `${route}?${query}`).slice(0, SHOWN_MAX);
}

/** Whether two queries have the same parameters. The order counts only within a name. A redacted value matches any. */
function isSameQuery(recorded: string, sent: string): boolean {
  const [one, other] = [recorded, sent].map((query) =>
    [...new URLSearchParams(query)].sort(([name], [otherName]) =>
      name < otherName ? -1 : Number(name > otherName),
    ),
  );
  return isSameValue(one, other);
}

/** Whether two bodies are the same text or the same JSON value. A redacted value matches any. */
function isSameBody(recorded: string, sent: string): boolean {
  if (recorded === sent || recorded === REDACTED) return true;
  try {
    return isSameValue(parseJson(recorded), parseJson(sent));
  } catch {
    return false;
  }
}

function isSameValue(recorded: unknown, sent: unknown): boolean {
  if (recorded === REDACTED || recorded === sent) return true;
  if (typeof recorded !== 'object' || typeof sent !== 'object' || recorded === null || sent === null)
    return false;
  if (Array.isArray(recorded) !== Array.isArray(sent)) return false;
  const names = Object.keys(recorded);
  return (
    names.length === Object.keys(sent).length &&
    names.every(
      (name) =>
        Object.hasOwn(sent, name) &&
        isSameValue((recorded as Record<string, unknown>)[name], (sent as Record<string, unknown>)[name]),
    )
  );
}
