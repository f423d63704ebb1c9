import type { RedirectEntry } from '../report/options.js';
import type { HttpResult } from './request-http.js';

/** Ports of the requests. */
export interface ProbePorts {
  http: number;
  https: number;
}

/** The requests of a visitor who follows the redirects of `from`, up to a limit. */
export interface RedirectWalk {
  scheme: 'http' | 'https';
  hops: readonly RedirectHop[];
}

/** One request of a walk, with its result. */
export interface RedirectHop extends HttpResult {
  url: string;
  /** Absent if no address could be connected to. */
  endpoint?: { address: string; port: number };
}

/** Statuses that browsers follow (RFC 9110, section 15.4). */
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Enough for http to https to the target, and some more. Browsers follow 20. */
const HOPS_MAX = 6;

/** The URL that a hop redirects to; `undefined` if it does not redirect. */
export function redirectUrl({ url, response }: RedirectHop): URL | undefined {
  if (response.kind !== 'response' || response.location === undefined) return undefined;
  if (!REDIRECT_STATUSES.has(response.status) || !URL.canParse(response.location, url)) return undefined;
  const target = new URL(response.location, url);
  return target.protocol === 'http:' || target.protocol === 'https:' ? target : undefined;
}

/** The hop that redirects from `from` to another host. Its status and target are compared with the entry. */
export function leavingHop(walk: RedirectWalk, { from }: RedirectEntry): RedirectHop | undefined {
  return walk.hops.find((hop) => {
    const target = redirectUrl(hop);
    return target !== undefined && hostOf(new URL(hop.url)) === from && hostOf(target) !== from;
  });
}

/**
 * The URL to request next; `undefined` at the end. Only the hosts of the entry, at the probed ports: a response must
 * not send the probe to other hosts.
 */
export function nextUrl(walk: RedirectWalk, entry: RedirectEntry, ports: ProbePorts): URL | undefined {
  const last = walk.hops.at(-1);
  const target = last === undefined ? undefined : redirectUrl(last);
  if (target === undefined || walk.hops.length >= HOPS_MAX || isLoop(walk, entry)) return undefined;
  const isOwnHost = hostOf(target) === entry.from || hostOf(target) === entry.to;
  return isOwnHost && isProbedPort(target, ports) ? target : undefined;
}

/** Whether a walk returns to a requested URL, returns to `from`, or exceeds the limit. */
export function isLoop({ hops }: RedirectWalk, { from }: RedirectEntry): boolean {
  const last = hops.at(-1);
  const target = last === undefined ? undefined : redirectUrl(last);
  if (last === undefined || target === undefined) return false;
  if (hops.some(({ url }) => new URL(url).href === withoutHash(target))) return true;
  if (hostOf(target) === from && hostOf(new URL(last.url)) !== from) return true;
  return hops.length >= HOPS_MAX;
}

/** The host without a final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Whether a URL has no port, or the one that is probed for its scheme. */
export function isProbedPort({ protocol, port }: URL, ports: ProbePorts): boolean {
  return port === '' || Number(port) === (protocol === 'https:' ? ports.https : ports.http);
}

/** The URL without its fragment, which is never sent. */
function withoutHash(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
