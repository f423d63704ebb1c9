import { parseDomainName } from '../name/name.js';
import type { RedirectEntry } from '../report/options.js';
import { shown } from '../finding/printable.js';
import { REDIRECT_STATUSES } from './redirect-view.js';

/** Of a name (RFC 1035, section 2.3.4), with a final dot. */
const HOST_LENGTH_MAX = 254;

/**
 * The entries as they can be looked at: bare hosts, in ASCII; a status that redirects; leading into no loop.
 *
 * @param all Among which they stand. Default: they are all.
 */
export function askableEntries(
  entries: readonly RedirectEntry[],
  all: readonly RedirectEntry[] = entries,
): RedirectEntry[] {
  const ways = waysOf(readEntries(all));
  return readEntries(entries).filter(
    ({ from, status }) => REDIRECT_STATUSES.has(status) && !wayFrom(from, ways).isLoop,
  );
}

/** Those whose hosts can be read, as `readEntry` reads them. */
export function readEntries(entries: readonly RedirectEntry[]): RedirectEntry[] {
  return entries.map(readEntry).filter((entry) => entry !== undefined);
}

/** The entry with its hosts in ASCII and lower case; `undefined` where one of them is no bare host. */
export function readEntry({ from, to, status }: RedirectEntry): RedirectEntry | undefined {
  const [one, other] = [parseDomainName(from), parseDomainName(to)];
  return one.ok && other.ok ? { from: one.name.ascii, to: other.name.ascii, status } : undefined;
}

/** A host of an entry, which may be none, as it can be shown. No name is cut: it is what an entry is known by. */
export function shownHost(host: string): string {
  return shown(host, HOST_LENGTH_MAX);
}

/** Where each host leads. Of several entries the first, as one would expect. */
export function waysOf(entries: readonly RedirectEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.toReversed().map(({ from, to }) => [from, to]));
}

/** The hosts on the way from one, itself included, up to the end or to the first that comes again. */
export function wayFrom(
  from: string,
  ways: ReadonlyMap<string, string>,
): { hosts: string[]; isLoop: boolean } {
  const hosts = [from];
  for (let to = ways.get(from); to !== undefined; to = ways.get(to)) {
    const isSeen = hosts.includes(to);
    hosts.push(to);
    if (isSeen) return { hosts, isLoop: true };
  }
  return { hosts, isLoop: false };
}
