import { editDistance } from '../../options/suggest.js';
import { parseJson } from '../../schema/json.js';
import { MockDataError } from '../pets/snapshot.js';
import { errorJson, type MockRequest } from '../service/message.js';
import { comparablePath, readHar, REDACTED, type RecordedExchange } from './har.js';

/** A response of a recording: `undefined` closes the connection. */
export type ReplayedResponse =
  { status: number; headers: Readonly<Record<string, string>>; body: string } | undefined;

/** Responds from a recording. */
export interface Replay {
  /**
   * Finds the next response to this request: equal requests get their responses in the recorded order, and then the last
   * one again. An unknown request gets 501.
   *
   * @param path encoded.
   * @param tenant each number has its own position in the recording.
   */
  respond(
    request: Pick<MockRequest, 'method' | 'body'> & { path: string; query: string },
    tenant: number,
  ): ReplayedResponse;
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
    respond({ method, path: encodedPath, query, body = '' }, tenant) {
      const path = comparablePath(encodedPath);
      const candidates = entries.filter((entry) => entry.method === method && entry.path === path);
      const found = candidates.filter(
        (entry) => isSameQuery(entry.query, query) && isSameBody(entry.body, body),
      );
      const used = usedByTenant.get(tenant) ?? new Set();
      usedByTenant.set(tenant, used);
      const entry = found.find((each) => !used.has(each)) ?? found.at(-1);
      if (entry === undefined) return notRecorded(`${method} ${path}`, query, candidates, entries);
      used.add(entry);
      return entry.response;
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

function notRecorded(
  route: string,
  query: string,
  candidates: readonly RecordedExchange[],
  entries: readonly RecordedExchange[],
): ReplayedResponse {
  const line = shown(route, query);
  const nearest = nearestTo(line, candidates.length > 0 ? candidates : entries);
  const message =
    nearest === undefined
      ? `The recording has no entry for ${line}, and no other entries`
      : `The recording has no entry for ${line}. The nearest is ${nearest.place}: ${lineOf(nearest)}` +
        (lineOf(nearest) === line ? ', with another body' : '');
  const body = errorJson(501, 'not_recorded', message);
  return { status: 501, headers: { 'content-type': 'application/json' }, body };
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
