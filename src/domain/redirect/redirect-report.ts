import type { RedirectEntry } from '../report/options.js';
import { shown } from '../finding/printable.js';
import { parseEntry, shownHost } from './redirect-entries.js';
import type { RedirectFacts } from './probe-redirects.js';
import type { RedirectHop } from './redirect-walk.js';
import type { RedirectReport } from '../report/report.js';

type ObservedHop = RedirectReport['observed'][number];

/** One report for each entry, in order. Entries that could not be probed have no observations. */
export function redirectReports(
  entries: readonly RedirectEntry[],
  facts: readonly RedirectFacts[],
): RedirectReport[] {
  return entries.map((entry) => {
    const parsed = parseEntry(entry);
    const found = facts.find((one) => isSame(one.entry, parsed));
    const observed = found?.walks.flatMap(({ hops }) => hops.map(observedHop)) ?? [];
    return {
      from: shownHost(entry.from),
      to: shownHost(entry.to),
      status: entry.status,
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

function isSame(entry: RedirectEntry, parsed: RedirectEntry | undefined): boolean {
  return entry.from === parsed?.from && entry.to === parsed.to && entry.status === parsed.status;
}
