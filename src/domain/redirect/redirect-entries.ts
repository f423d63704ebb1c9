import { parseDomainName } from '../name/name.js';
import type { RedirectEntry } from '../report/options.js';
import type { Finding } from '../finding/finding.js';
import { clipped, listed, shown } from '../finding/printable.js';
import { REDIRECT_STATUSES } from './redirect-walk.js';

/** Characters of a name with a final dot (RFC 1035, section 2.3.4). */
const HOST_LENGTH_MAX = 254;

/**
 * Selects the entries that can be probed: valid hosts, a redirect status, and no loop. Hosts become ASCII.
 *
 * @param all All entries of the project.
 */
export function probeableEntries(
  entries: readonly RedirectEntry[],
  all: readonly RedirectEntry[] = entries,
): RedirectEntry[] {
  const targets = targetsByHost(parseEntries(all));
  return parseEntries(entries).filter(
    ({ from, status }) => REDIRECT_STATUSES.has(status) && !followEntries(from, targets).isLoop,
  );
}

/** What is known about the project of the entries. */
export interface RedirectProject {
  /** All entries of the project. @default the checked ones */
  all?: readonly RedirectEntry[] | undefined;
  /** The project's domains in ASCII, if known. */
  attached?: readonly string[] | undefined;
}

/**
 * Checks redirect entries as data: invalid hosts, statuses that do not redirect, several entries for one host, loops,
 * chains, and targets outside the project. Reports nothing about the project's other entries.
 */
export function checkEntries(
  entries: readonly RedirectEntry[],
  { all = entries, attached }: RedirectProject = {},
): Finding[] {
  const [parsed, parsedAll] = [parseEntries(entries), parseEntries(all)];
  return [
    ...entries.flatMap((entry) => invalidHosts(entry, all.indexOf(entry))),
    ...entries.flatMap(invalidStatus),
    ...duplicates(parsed, parsedAll),
    ...loops(parsed, parsedAll),
    ...chains(parsed, parsedAll),
    ...(attached === undefined ? [] : parsed.flatMap((entry) => unattached(entry, attached))),
  ];
}

/** Reports invalid host names, with the message and suggestion of their `name.*` finding. */
function invalidHosts(entry: RedirectEntry, index: number): Finding[] {
  return (['from', 'to'] as const).flatMap((side) => {
    const parsed = parseDomainName(entry[side]);
    if (parsed.ok) return [];
    const { finding } = parsed;
    const path = index < 0 ? side : `redirects[${index}].${side}`;
    const message = `${path}: ${finding.message}`;
    return [{ ...finding, axis: 'redirect', message, entries: [identityOf(entry)] }];
  });
}

function invalidStatus(entry: RedirectEntry): Finding[] {
  if (REDIRECT_STATUSES.has(entry.status)) return [];
  return [
    finding('redirect.status', 'block', entry, {
      text: `${entry.status} is not a redirect status`,
      fix: `Use one of ${listed([...REDIRECT_STATUSES].map(String))}. Use 301 for a permanent redirect.`,
    }),
  ];
}

/** Reports several entries for one host: a warning if they are equal, otherwise a problem. */
function duplicates(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  return entries.flatMap((first, index) => {
    const group = all.filter(({ from }) => from === first.from);
    if (group.length < 2 || entries.findIndex(({ from }) => from === first.from) !== index) return [];
    const kinds = new Set(group.map(({ to, status }) => `${to} with ${status}`));
    return [
      finding('redirect.target', kinds.size > 1 ? 'block' : 'warn', first, {
        text:
          kinds.size > 1
            ? `${group.length} entries for ${first.from} contradict each other: ${listed([...kinds])}`
            : `the entry exists ${group.length} times`,
        fix: 'Keep only one of them.',
        about: group,
      }),
    ];
  });
}

/** Reports each loop once, at its first entry. */
function loops(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  const targets = targetsByHost(all);
  const reported = new Set<string>();
  return entries.flatMap((entry) => {
    const { hosts, isLoop } = followEntries(entry.from, targets);
    if (!isLoop || reported.has(entry.from)) return [];
    for (const host of hosts) reported.add(host);
    return [
      finding('redirect.loop', 'block', entry, {
        text: `the entries form a loop: ${clipped(hosts.join(' → '))}`,
        fix: 'Remove one of these entries.',
        about: all.filter(({ from }) => hosts.includes(from)),
      }),
    ];
  });
}

function chains(entries: readonly RedirectEntry[], all: readonly RedirectEntry[]): Finding[] {
  const targets = targetsByHost(all);
  return entries.flatMap((entry) => {
    const { hosts, isLoop } = followEntries(entry.from, targets);
    const end = hosts.at(-1) ?? entry.to;
    if (isLoop || hosts.length <= 2) return [];
    return [
      finding('redirect.loop', 'warn', entry, {
        text: `${entry.to} redirects too, so visitors follow ${hosts.length - 1} redirects to ${end}`,
        fix: `Redirect ${entry.from} to ${end} directly.`,
      }),
    ];
  });
}

function unattached(entry: RedirectEntry, attached: readonly string[]): Finding[] {
  if (attached.includes(entry.to)) return [];
  return [
    finding('redirect.target', 'warn', entry, {
      text: `${entry.to} is not a domain of the project`,
      fix: `Attach ${entry.to} to the project, or check its spelling.`,
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
  return parseEntry(entry) ?? { from: shownHost(from), to: shownHost(to), status };
}

/** Parses the entries with valid hosts, and drops the others. */
function parseEntries(entries: readonly RedirectEntry[]): RedirectEntry[] {
  return entries.map(parseEntry).filter((entry) => entry !== undefined);
}

/** Converts the hosts of an entry to ASCII and lower case; `undefined` if one is invalid. */
export function parseEntry({ from, to, status }: RedirectEntry): RedirectEntry | undefined {
  const [one, other] = [parseDomainName(from), parseDomainName(to)];
  return one.ok && other.ok ? { from: one.name.ascii, to: other.name.ascii, status } : undefined;
}

/** A host of an entry, valid or not, safe to print. Names are not truncated: they identify the entry. */
export function shownHost(host: string): string {
  return shown(host, HOST_LENGTH_MAX);
}

/** The target of each host. The first of several entries counts. */
export function targetsByHost(entries: readonly RedirectEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.toReversed().map(({ from, to }) => [from, to]));
}

/** Follows the entries from a host. Returns all hosts on the path, up to the end or the first repeated host. */
export function followEntries(
  from: string,
  targets: ReadonlyMap<string, string>,
): { hosts: string[]; isLoop: boolean } {
  const hosts = [from];
  for (let to = targets.get(from); to !== undefined; to = targets.get(to)) {
    const isRepeated = hosts.includes(to);
    hosts.push(to);
    if (isRepeated) return { hosts, isLoop: true };
  }
  return { hosts, isLoop: false };
}
