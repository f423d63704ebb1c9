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
  const routes = routesByHost(known);
  return distinctEntries(parseEntries(entries)).filter(
    ({ from, status }) => REDIRECT_STATUSES.has(status) && routes.get(from)?.isLoop !== true,
  );
}

/** The entries without repeated ones: each problem is found and reported once. */
function distinctEntries(entries: readonly RedirectEntry[]): RedirectEntry[] {
  const byText = new Map<string, RedirectEntry>();
  for (const entry of entries) {
    const text = entryKey(entry);
    if (!byText.has(text)) byText.set(text, entry);
  }
  return [...byText.values()];
}

/** The same text for the same entry. */
export function entryKey({ from, to, status }: RedirectEntry): string {
  return `${from} ${to} ${String(status)}`;
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
  const indexes = new Map(all.map((entry, index) => [entry, index] as const).reverse());
  const byHost = new Map<string, RedirectEntry[]>();
  for (const entry of known) {
    const group = byHost.get(entry.from);
    if (group === undefined) byHost.set(entry.from, [entry]);
    else group.push(entry);
  }
  const routes = routesByHost(known);
  const own = attached && new Set(attached);
  return [
    ...distinct.flatMap((entry) => invalidHosts(entry, indexes.get(entry))),
    ...distinct.flatMap(invalidStatus),
    ...duplicates(parsed, byHost),
    ...loops(parsed, known, byHost, routes),
    ...chains(parsed, routes),
    ...(own === undefined ? [] : parsed.flatMap((entry) => unattached(entry, own))),
  ];
}

/** Reports invalid host names, with the message and suggestion of their `name.*` finding. */
function invalidHosts(entry: RedirectEntry, index: number | undefined): Finding[] {
  return (['from', 'to'] as const).flatMap((side) => {
    const parsed = parseDomainName(entry[side]);
    if (parsed.ok) return [];
    const { finding } = parsed;
    const path = index === undefined ? side : `redirects[${index}].${side}`;
    const message = `${path}: ${finding.message}`;
    return [{ ...finding, axis: 'redirect', message, entries: [identityOf(entry)] }];
  });
}

function invalidStatus(entry: RedirectEntry): Finding[] {
  if (REDIRECT_STATUSES.has(entry.status)) return [];
  return entryFinding('redirect.status', 'block', entry, {
    text: `${entry.status} is not a redirect status`,
    fix: [
      `In the redirects of the project, correct the status of ${shown(entry.from, 80)} → ${shown(entry.to, 80)}.`,
      `Use one of ${listed([...REDIRECT_STATUSES].map(String))}. Use 301 for a permanent redirect.`,
    ],
  });
}

/** Reports several entries for one host: a warning if they are equal, otherwise a problem. */
function duplicates(entries: readonly RedirectEntry[], byHost: EntriesByHost): Finding[] {
  const reported = new Set<string>();
  return entries.flatMap((first) => {
    const group = byHost.get(first.from) ?? [];
    if (group.length < 2 || reported.has(first.from)) return [];
    reported.add(first.from);
    const kinds = new Set(group.map(({ to, status }) => `${to} with ${status}`));
    return entryFinding('redirect.target', kinds.size > 1 ? 'block' : 'warn', first, {
      text:
        kinds.size > 1
          ? `${group.length} entries for ${first.from} contradict each other: ${listed([...kinds])}`
          : `the entry exists ${group.length} times`,
      fix: `In the redirects of the project, keep only one entry for ${shown(first.from, 80)}.`,
      about: group,
    });
  });
}

/** Reports each loop once, at its first entry. */
function loops(
  entries: readonly RedirectEntry[],
  known: readonly RedirectEntry[],
  byHost: EntriesByHost,
  routes: ReadonlyMap<string, Route>,
): Finding[] {
  const reported = new Set<string>();
  const positions = new Map(known.map((entry, index) => [entry, index]));
  const positionOf = (entry: RedirectEntry): number => positions.get(entry) ?? 0;
  return entries.flatMap((entry) => {
    if (reported.has(entry.from) || routes.get(entry.from)?.isLoop !== true) return [];
    const hosts = followLoop(entry.from, byHost);
    const cycle = hosts.slice(hosts.indexOf(hosts.at(-1) ?? ''), -1);
    const indexOf = (host: string): number => Math.min(...(byHost.get(host) ?? []).map(positionOf));
    // The same one for each entry that leads into the loop: without two entries of it, visitors get no redirect.
    const first = cycle.reduce((best, host) => (indexOf(host) < indexOf(best) ? host : best));
    const before = cycle.at(cycle.indexOf(first) - 1) ?? '';
    const [closing, start] = [before, first].map((host) => shown(host, 80));
    for (const host of hosts) reported.add(host);
    const about = hosts.slice(0, -1).flatMap((host) => byHost.get(host) ?? []);
    return entryFinding('redirect.loop', 'block', entry, {
      text: `the entries form a loop: ${clipped(hosts.join(' → '))}`,
      fix: `In the redirects of the project, remove or change the entry ${closing} → ${start}: it leads back.`,
      about: about.sort((one, other) => positionOf(one) - positionOf(other)),
    });
  });
}

function chains(entries: readonly RedirectEntry[], routes: ReadonlyMap<string, Route>): Finding[] {
  return entries.flatMap((entry) => {
    const { isLoop, end, count } = routes.get(entry.from) ?? NO_ROUTE;
    if (isLoop || count < 2) return [];
    return entryFinding('redirect.loop', 'warn', entry, {
      text: `${entry.to} redirects too, so visitors follow ${count} redirects to ${end}`,
      fix: `Redirect ${entry.from} to ${end} directly.`,
    });
  });
}

function unattached(entry: RedirectEntry, attached: ReadonlySet<string>): Finding[] {
  if (attached.has(entry.to)) return [];
  return entryFinding('redirect.target', 'warn', entry, {
    text: `${entry.to} is not a domain of the project`,
    fix: `Attach ${entry.to} to the project, or check its spelling.`,
  });
}

function entryFinding(
  id: Finding['id'],
  severity: Finding['severity'],
  entry: RedirectEntry,
  {
    text,
    fix,
    about = [entry],
  }: { text: string; fix: string | readonly string[]; about?: readonly RedirectEntry[] },
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

type EntriesByHost = ReadonlyMap<string, readonly RedirectEntry[]>;

/** Where the entries lead from a host. */
export interface Route {
  isLoop: boolean;
  /** The last host. Empty in a loop. */
  end: string;
  /** Redirects to the last host. */
  count: number;
}

const NO_ROUTE: Route = { isLoop: false, end: '', count: 0 };

/** The route from each host with an entry. The first of several entries counts. Follows each entry once. */
export function routesByHost(entries: readonly RedirectEntry[]): ReadonlyMap<string, Route> {
  const targets = new Map(entries.toReversed().map(({ from, to }) => [from, to]));
  const routes = new Map<string, Route>();
  for (const start of targets.keys()) {
    const path = new Set<string>();
    let host: string | undefined = start;
    let last = start;
    while (host !== undefined && !routes.has(host) && !path.has(host)) {
      path.add(host);
      last = host;
      host = targets.get(host);
    }
    // The last host has no entry of its own, a known route or a place on this path.
    let route = host === undefined ? { ...NO_ROUTE, end: last, count: -1 } : routes.get(host);
    for (const one of [...path].reverse()) {
      route = route === undefined || route.isLoop ? LOOP : { ...route, count: route.count + 1 };
      routes.set(one, route);
    }
  }
  return routes;
}

const LOOP: Route = { isLoop: true, end: '', count: 0 };

/** Follows the entries from a host into a loop: all hosts, up to the first repeated one. */
function followLoop(from: string, byHost: EntriesByHost): string[] {
  const hosts = new Set<string>();
  let host = from;
  while (!hosts.has(host)) {
    hosts.add(host);
    host = byHost.get(host)?.[0]?.to ?? from;
  }
  return [...hosts, host];
}
