import type { Finding } from '../finding/finding.js';
import { parseDomainName } from '../name/name.js';
import type { RedirectEntry } from '../report/options.js';
import { clipped, listed, shown } from '../finding/printable.js';
import { readEntries, readEntry, shownHost, wayFrom, waysOf } from './redirect-entries.js';
import { REDIRECT_STATUSES } from './redirect-view.js';

/** Whom redirect entries are judged among. */
export interface RedirectProject {
  /** All entries of the project. Default: those judged. */
  all?: readonly RedirectEntry[] | undefined;
  /** The project's domains in ASCII, where they are known. */
  attached?: readonly string[] | undefined;
}

/**
 * What is wrong with redirect entries by themselves, before anything is asked: no bare hosts, statuses that do not redirect,
 * two entries for one host, loops, chains, and hosts that are not the project's. Of the project's other entries nothing is
 * told.
 */
export function redirectEntries(
  entries: readonly RedirectEntry[],
  { all = entries, attached }: RedirectProject = {},
): Finding[] {
  const [read, readAll] = [readEntries(entries), readEntries(all)];
  return [
    ...entries.flatMap((entry) => badHosts(entry, all.indexOf(entry))),
    ...entries.flatMap(badStatus),
    ...duplicates(read, readAll),
    ...loops(read, readAll),
    ...chains(read, readAll),
    ...(attached === undefined ? [] : read.flatMap((entry) => unattached(entry, attached))),
  ];
}

/** By the finding of the name itself, whose reason and suggestion fit here as well. */
function badHosts(entry: RedirectEntry, index: number): Finding[] {
  return (['from', 'to'] as const).flatMap((side) => {
    const parsed = parseDomainName(entry[side]);
    if (parsed.ok) return [];
    const { finding } = parsed;
    const place = index < 0 ? side : `redirects[${index}].${side}`;
    const message = `${place}: ${finding.message}`;
    return [{ ...finding, axis: 'redirect', message, entries: [identityOf(entry)] }];
  });
}

function badStatus(entry: RedirectEntry): Finding[] {
  if (REDIRECT_STATUSES.has(entry.status)) return [];
  return [
    finding('redirect.status', 'block', entry, {
      text: `${entry.status} is no status that redirects`,
      fix: `Use one of ${listed([...REDIRECT_STATUSES].map(String))}; 301 where it is for good.`,
    }),
  ];
}

/** The same entry twice is idle; two that differ can't both hold. */
function duplicates(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  return entries.flatMap((first, index) => {
    const group = all.filter(({ from }) => from === first.from);
    if (group.length < 2 || entries.findIndex(({ from }) => from === first.from) !== index) return [];
    const kinds = new Set(group.map(({ to, status }) => `${to} with ${status}`));
    return [
      finding('redirect.target', kinds.size > 1 ? 'block' : 'warn', first, {
        text:
          kinds.size > 1
            ? `${group.length} entries say different things of ${first.from}: ${listed([...kinds])}`
            : `the entry is there ${group.length} times`,
        fix: 'Keep one of them.',
        about: group,
      }),
    ];
  });
}

/** Each loop once, told from the first of its hosts in the list. */
function loops(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  const ways = waysOf(all);
  const told = new Set<string>();
  return entries.flatMap((entry) => {
    const { hosts, isLoop } = wayFrom(entry.from, ways);
    if (!isLoop || told.has(entry.from)) return [];
    for (const host of hosts) told.add(host);
    return [
      finding('redirect.loop', 'block', entry, {
        text: `the entries lead in a circle: ${clipped(hosts.join(' → '))}`,
        fix: 'Remove one of these entries.',
        about: all.filter(({ from }) => hosts.includes(from)),
      }),
    ];
  });
}

function chains(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  const ways = waysOf(all);
  return entries.flatMap((entry) => {
    const { hosts, isLoop } = wayFrom(entry.from, ways);
    const end = hosts.at(-1) ?? entry.to;
    if (isLoop || hosts.length <= 2) return [];
    return [
      finding('redirect.loop', 'warn', entry, {
        text: `${entry.to} is redirected itself, so visitors take ${hosts.length - 1} steps to ${end}`,
        fix: `Let ${entry.from} lead to ${end} at once.`,
      }),
    ];
  });
}

function unattached(entry: RedirectEntry, attached: readonly string[]): Finding[] {
  if (attached.includes(entry.to)) return [];
  return [
    finding('redirect.target', 'warn', entry, {
      text: `${entry.to} is not among the domains of the project`,
      fix: `Attach ${entry.to}, or look whether it is spelled as it should be.`,
    }),
  ];
}

function finding(
  id: Finding['id'],
  severity: Finding['severity'],
  entry: RedirectEntry,
  { text, fix, about = [entry] }: { text: string; fix: string; about?: readonly RedirectEntry[] },
): Finding {
  const { from, to, status } = entry;
  const [shownFrom, shownTo] = [shown(from, 80), shown(to, 80)];
  return {
    id,
    axis: 'redirect',
    severity,
    message: `${shownFrom} → ${shownTo}: ${text}.`,
    fix: { action: 'other', text: fix, records: [] },
    evidence: [{ text: `entry: from ${shownFrom} to ${shownTo} with ${status}` }],
    entries: about.map(identityOf),
  };
}

function identityOf(entry: RedirectEntry): RedirectEntry {
  const { from, to, status } = entry;
  return readEntry(entry) ?? { from: shownHost(from), to: shownHost(to), status };
}
