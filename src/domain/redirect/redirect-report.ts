import type { RedirectEntry } from '../report/options.js';
import { shown } from '../finding/printable.js';
import { readEntry, shownHost } from './redirect-entries.js';
import type { RedirectFacts } from './probe-redirects.js';
import type { RedirectHop } from './redirect-walk.js';
import type { RedirectReport } from '../report/report.js';

type ObservedHop = RedirectReport['observed'][number];

/** One report for each entry, in order. Entries that could not be probed have no observations. */
export function redirectReports(
  entries: readonly RedirectEntry[],
  facts: readonly RedirectFacts[],
): RedirectReport[] {
  return entries.map((given) => {
    const read = readEntry(given);
    const found = facts.find(({ entry }) => isSame(entry, read));
    const observed = found?.walks.flatMap(({ hops }) => hops.map(observedHop)) ?? [];
    return {
      from: shownHost(given.from),
      to: shownHost(given.to),
      status: given.status,
      observed,
    };
  });
}

function observedHop({ url, response }: RedirectHop): ObservedHop {
  if (response.kind !== 'response') return { url: shown(url), trouble: response.detail };
  const { status, location } = response;
  return {
    url: shown(url),
    status,
    ...(location !== undefined && { location: shown(location) }),
  };
}

function isSame(entry: RedirectEntry, read: RedirectEntry | undefined): boolean {
  return entry.from === read?.from && entry.to === read.to && entry.status === read.status;
}
