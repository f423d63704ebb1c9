import { parseDomainName } from '../request/parse-domain-name.js';
import type { RedirectEntry } from '../request/options.js';
import { finding, type Finding } from '../report/finding.js';
import { clipped, listed, shown } from '../names/printable.js';
import { REDIRECT_STATUSES } from './probe-redirects.js';

/** Characters of a name with a final dot (RFC 1035, section 2.3.4). */
const HOST_LENGTH_MAX = 254;

/**
 * Selects the entries that can be probed: valid hosts, a redirect status, and no loop. Hosts become ASCII.
 *
 * @param known All entries of the project, parsed.
 */
export function probeableEntries(
  entries: readonly RedirectEntry[],
  known = parseEntries(entries),
): RedirectEntry[] {
  const targets = targetsByHost(known);
  return distinctEntries(parseEntries(entries)).filter(
    ({ from, status }) => REDIRECT_STATUSES.has(status) && !isLoop(followEntries(from, targets)),
  );
}

/** The entries without repeated ones: each problem is found and reported once. */
function distinctEntries(entries: readonly RedirectEntry[]): RedirectEntry[] {
  const byText = new Map<string, RedirectEntry>();
  for (const entry of entries) {
    const text = `${entry.from} ${entry.to} ${String(entry.status)}`;
    if (!byText.has(text)) byText.set(text, entry);
  }
  return [...byText.values()];
}

/** What is known about the project of the entries. */
export interface RedirectProject {
  /** All entries of the project. @default the checked ones */
  all?: readonly RedirectEntry[] | undefined;
  /** The project's domains in ASCII, if known. */
  attached?: readonly string[] | undefined;
  /** `all`, parsed once for the checks of many domains. */
  known?: readonly RedirectEntry[] | undefined;
}

/**
 * Checks redirect entries as data: invalid hosts, statuses that do not redirect, several entries for one host, loops,
 * chains, and targets outside the project. Reports nothing about the project's other entries.
 */
export function checkEntries(
  entries: readonly RedirectEntry[],
  { all = entries, attached, known = parseEntries(all) }: RedirectProject = {},
): Finding[] {
  const distinct = distinctEntries(entries);
  const parsed = parseEntries(distinct);
  const targets = targetsByHost(known);
  return [
    ...distinct.flatMap((entry) => invalidHosts(entry, all.indexOf(entry))),
    ...distinct.flatMap(invalidStatus),
    ...duplicates(parsed, known),
    ...loops(parsed, known, targets),
    ...chains(parsed, targets),
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
  return entryFinding('redirect.status', 'block', entry, {
    text: `${entry.status} is not a redirect status`,
    fix: `In the redirects of the project, use one of ${listed([...REDIRECT_STATUSES].map(String))}. Use 301 for a permanent redirect.`,
  });
}

/** Reports several entries for one host: a warning if they are equal, otherwise a problem. */
function duplicates(entries: readonly RedirectEntry[], known: readonly RedirectEntry[]): Finding[] {
  const reported = new Set<string>();
  return entries.flatMap((first) => {
    const group = known.filter(({ from }) => from === first.from);
    if (group.length < 2 || reported.has(first.from)) return [];
    reported.add(first.from);
    const kinds = new Set(group.map(({ to, status }) => `${to} with ${status}`));
    return entryFinding('redirect.target', kinds.size > 1 ? 'block' : 'warn', first, {
      text:
        kinds.size > 1
          ? `${group.length} entries for ${first.from} contradict each other: ${listed([...kinds])}`
          : `the entry exists ${group.length} times`,
      fix: 'In the redirects of the project, keep only one of them.',
      about: group,
    });
  });
}

/** Reports each loop once, at its first entry. */
function loops(
  entries: readonly RedirectEntry[],
  known: readonly RedirectEntry[],
  targets: ReadonlyMap<string, string>,
): Finding[] {
  const reported = new Set<string>();
  return entries.flatMap((entry) => {
    const hosts = followEntries(entry.from, targets);
    if (reported.has(entry.from) || !isLoop(hosts)) return [];
    const path = new Set(hosts);
    // The last two hosts are the entry that leads back to an earlier one.
    const [closing = '', start = ''] = hosts.slice(-2).map((host) => shown(host, 80));
    for (const host of path) reported.add(host);
    return entryFinding('redirect.loop', 'block', entry, {
      text: `the entries form a loop: ${clipped(hosts.join(' → '))}`,
      fix: `In the redirects of the project, remove or change the entry ${closing} → ${start}: it leads back.`,
      about: known.filter(({ from }) => path.has(from)),
    });
  });
}

function chains(entries: readonly RedirectEntry[], targets: ReadonlyMap<string, string>): Finding[] {
  return entries.flatMap((entry) => {
    const hosts = followEntries(entry.from, targets);
    if (isLoop(hosts) || hosts.length <= 2) return [];
    const end = hosts.at(-1) ?? '';
    return entryFinding('redirect.loop', 'warn', entry, {
      text: `${entry.to} redirects too, so visitors follow ${hosts.length - 1} redirects to ${end}`,
      fix: `Redirect ${entry.from} to ${end} directly.`,
    });
  });
}

function unattached(entry: RedirectEntry, attached: readonly string[]): Finding[] {
  if (attached.includes(entry.to)) return [];
  return entryFinding('redirect.target', 'warn', entry, {
    text: `${entry.to} is not a domain of the project`,
    fix: `Attach ${entry.to} to the project, or check its spelling.`,
  });
}

function entryFinding(
  id: Finding['id'],
  severity: Finding['severity'],
  entry: RedirectEntry,
  { text, fix, about = [entry] }: { text: string; fix: string; about?: readonly RedirectEntry[] },
): [Finding] {
  const [from, to] = [shown(entry.from, 80), shown(entry.to, 80)];
  return [
    finding(id, severity, {
      message: `${from} → ${to}: ${text}.`,
      reason: `${text}.`,
      fix,
      evidence: [{ text: `entry: from ${from} to ${to} with ${entry.status}` }],
      entries: about.map(identityOf),
    }),
  ];
}

function identityOf(entry: RedirectEntry): RedirectEntry {
  const { from, to, status } = entry;
  return parseEntry(entry) ?? { from: shownHost(from), to: shownHost(to), status };
}

/** Parses the entries with valid hosts, and drops the others. */
export function parseEntries(entries: readonly RedirectEntry[]): RedirectEntry[] {
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
export function followEntries(from: string, targets: ReadonlyMap<string, string>): string[] {
  const hosts = new Set([from]);
  for (let to = targets.get(from); to !== undefined; to = targets.get(to)) {
    if (hosts.has(to)) return [...hosts, to];
    hosts.add(to);
  }
  return [...hosts];
}

/** Whether the entries from a host lead back to one of its hosts. */
function isLoop(hosts: readonly string[]): boolean {
  return hosts.indexOf(hosts.at(-1) ?? '') < hosts.length - 1;
}
