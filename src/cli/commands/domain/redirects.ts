import type { Command } from 'commander';
import {
  checkDomain,
  type Finding,
  type RedirectEntry,
  type RedirectReport,
  type VerdictExitCode,
} from '../../../domain/index.js';
import type { Bind, Session } from '../../action.js';
import { addExamples } from '../../examples.js';
import { checkRenderOptions } from '../../output/index.js';
import { UsageError } from '../../usage-error.js';
import { checkAskFlags, openDns, runTimeoutMs } from './dns-access.js';
import {
  addAskFlags,
  addProbeFlags,
  type AskFlags,
  type ProbeFlags,
  probeTarget,
  readAskFlags,
  readProbeFlags,
} from './domain-flags.js';
import { asciiOf, readDomainNames } from './names.js';
import { createPage } from './page.js';
import { checkProbeFlags, probeExitCode, showFindings, toldSubject, withinRunTime } from './probing.js';
import { type DomainProject, readDomainProject } from './project.js';
import { projectProbes } from './redirect-probes.js';
import { REDIRECT_COLUMNS, redirectRows, showRedirectTable } from './redirect-rows.js';
import { isOfRows, noIds, pageStyle } from './reports.js';
import { readTarget } from './subject.js';

/** What `domain redirects` is asked for. */
export interface RedirectsOptions {
  /** Hosts whose entries are looked at; none means all. */
  words: readonly string[];
  ask: AskFlags;
  probe: ProbeFlags;
}

/** What was found. */
interface SeenRedirects {
  redirects: readonly RedirectReport[];
  findings: readonly Finding[];
}

const FIELDS = ['redirects', 'findings'];

export function registerRedirects(domain: Command, bind: Bind): void {
  const command = domain
    .command('redirects')
    .description(
      'Check the redirect entries of petstore.config.json: as data, then on the wire, from http and from https.',
    )
    .argument('[from...]', 'only the entries of these hosts');
  addProbeFlags(addAskFlags(command)).action((words: string[], flags: Record<string, unknown>) =>
    bind(showRedirects, { words, ask: readAskFlags(flags), probe: readProbeFlags(flags) }),
  );
  addExamples(command, [
    'petstore domain redirects',
    'petstore domain redirects www.example.com',
    'petstore domain redirects --connect 127.0.0.1 --https-port 8443',
  ]);
}

async function showRedirects(options: RedirectsOptions, session: Session): Promise<VerdictExitCode> {
  const { ask, probe } = options;
  checkAskFlags(ask, session);
  checkProbeFlags(probe, session);
  if (session.format === 'ids') throw noIds();
  const fields = isOfRows(session) ? REDIRECT_COLUMNS.map(({ field }) => field) : FIELDS;
  await checkRenderOptions({ ...session.global, format: session.format }, fields);
  const project = readDomainProject(session.context);
  const seen = await lookAt(chooseEntries(options.words, project), options, project, session);
  await print(seen, session);
  return probeExitCode(seen.findings);
}

function chooseEntries(
  words: readonly string[],
  { path, redirects }: DomainProject,
): readonly RedirectEntry[] {
  if (redirects.length === 0) {
    throw new UsageError(
      path === undefined ? 'there is no petstore.config.json with redirects' : `${path} lists no redirects`,
      'list them there: "redirects": [{ "from": "www.example.com", "to": "example.com", "status": 301 }]',
    );
  }
  const wanted = readDomainNames(words).map(({ ascii }) => ascii);
  for (const from of wanted) {
    if (redirects.some((entry) => isFrom(entry, from))) continue;
    throw new UsageError(
      `there is no redirect from ${from}`,
      `known: ${redirects.map((entry) => entry.from).join(', ')}`,
    );
  }
  return wanted.length === 0
    ? redirects
    : redirects.filter((entry) => wanted.some((from) => isFrom(entry, from)));
}

/** Walks the entries; the addresses of their hosts are found as the check of a domain finds them. */
async function lookAt(
  entries: readonly RedirectEntry[],
  { ask, probe }: RedirectsOptions,
  project: DomainProject,
  session: Session,
): Promise<SeenRedirects> {
  const target = readTarget(ask, session, project);
  const told = await probeTarget(probe, session);
  const hosts = project.domains.flatMap((domain) => asciiOf(domain) ?? []);
  const attached = hosts.length === 0 ? undefined : hosts;
  const probes = projectProbes(project, attached);
  // The entry's own host may be the target's sibling, but not the target: that is no custom domain.
  const host = entries
    .flatMap(({ to, from }) => [to, from])
    .map(asciiOf)
    .find((name) => name !== undefined && name !== target);
  if (probe.connect !== undefined || host === undefined) {
    return withinRunTime(session, async (signal) => {
      const wanted = { target, probe: told };
      const subject = toldSubject({ ascii: host ?? target }, wanted, { context: session.context, signal });
      const { report, findings } = await probes.redirects(entries, subject);
      return { redirects: report, findings };
    });
  }
  const dns = await openDns(ask, session);
  try {
    const { redirects = [], findings } = await checkDomain(
      { domain: host, target, redirects: entries, certificate: false, probe: told },
      { ...dns.options, timeoutMs: runTimeoutMs(entries.length, session), probes },
    );
    return { redirects, findings: findings.filter(({ axis }) => axis === 'redirect') };
  } finally {
    await dns.close().catch(() => undefined);
  }
}

async function print({ redirects, findings }: SeenRedirects, session: Session): Promise<void> {
  const { format, global, context } = session;
  const isPlain = global.fields === undefined && global.query === undefined && global.sort === undefined;
  if (format === 'table' && isPlain) {
    const page = await createPage(pageStyle(session), { redirects, findings });
    showFindings(findings, page);
    page.gap();
    showRedirectTable(redirects, page);
    context.stdout.write(page.toString());
  } else if (isOfRows(session)) {
    const rows = redirectRows(redirects, findings);
    await session.print({ kind: 'list', rows, columns: REDIRECT_COLUMNS });
  } else {
    await session.print({ kind: 'record', row: { redirects, findings }, columns: REDIRECT_COLUMNS });
  }
}

function isFrom(entry: RedirectEntry, ascii: string): boolean {
  return asciiOf(entry.from) === ascii;
}
