import type { RedirectEntry } from '../report/options.js';
import type { ProbePorts, RedirectHop, RedirectWalk } from './redirect-facts.js';

/** The statuses by which a browser goes elsewhere (RFC 9110, section 15.4). */
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A visitor's browser follows 20; nobody should need more than http to https to the target, and one to spare. */
const HOPS_MAX = 6;

/** Where a hop sends its visitor; `undefined` where nowhere. */
export function leadOf({ url, response: answer }: RedirectHop): URL | undefined {
  if (answer.kind !== 'response' || answer.location === undefined) return undefined;
  if (!REDIRECT_STATUSES.has(answer.status) || !URL.canParse(answer.location, url)) return undefined;
  const lead = new URL(answer.location, url);
  return lead.protocol === 'http:' || lead.protocol === 'https:' ? lead : undefined;
}

/** The hop that leads away from `from`, which is the one that the entry is about. */
export function leavingHop(walk: RedirectWalk, { from }: RedirectEntry): RedirectHop | undefined {
  return walk.hops.find((hop) => {
    const lead = leadOf(hop);
    return lead !== undefined && hostOf(new URL(hop.url)) === from && hostOf(lead) !== from;
  });
}

/**
 * The URL to ask next; `undefined` at the end. Only the entry's own hosts are visited, at the ports that were told: what
 * an answer says must not send the probe elsewhere.
 */
export function nextUrl(walk: RedirectWalk, entry: RedirectEntry, ports: ProbePorts): URL | undefined {
  const last = walk.hops.at(-1);
  const lead = last === undefined ? undefined : leadOf(last);
  if (lead === undefined || walk.hops.length >= HOPS_MAX || isLoop(walk, entry)) return undefined;
  const isOurs = hostOf(lead) === entry.from || hostOf(lead) === entry.to;
  return isOurs && isUsualPort(lead, ports) ? lead : undefined;
}

/** Whether it comes back: to a URL seen before, to `from` from elsewhere, or not to an end at all. */
export function isLoop({ hops }: RedirectWalk, { from }: RedirectEntry): boolean {
  const last = hops.at(-1);
  const lead = last === undefined ? undefined : leadOf(last);
  if (last === undefined || lead === undefined) return false;
  if (hops.some(({ url }) => new URL(url).href === withoutHash(lead))) return true;
  if (hostOf(lead) === from && hostOf(new URL(last.url)) !== from) return true;
  return hops.length >= HOPS_MAX;
}

/** The host without a final dot, which means the same. */
export function hostOf({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Whether a URL names no port, or the one that its scheme is looked at by. */
export function isUsualPort({ protocol, port }: URL, ports: ProbePorts): boolean {
  return port === '' || Number(port) === (protocol === 'https:' ? ports.https : ports.http);
}

/** A fragment is not sent. */
function withoutHash(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
