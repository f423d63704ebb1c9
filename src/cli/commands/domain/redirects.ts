import {
  checkRedirects,
  type RedirectsCheck,
  type RedirectsRequest,
  type VerdictExitCode,
} from '../../../domain/index.js';
import { anyText, argument, offering, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { checkOutput, type Presentation } from '../../session/present.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  checkFlags,
  type DnsAccess,
  mockWeb,
  runTimeoutMs,
  withDns,
  withMockAuthority,
} from './dns-access.js';
import { checkKind, DOMAIN_FLAGS, probeOptions } from './input/domain-flags.js';
import { asciiOf, readDomainNames } from './input/names.js';
import { attachedDomains, type DomainProject, readDomainProject } from './input/project.js';
import { configuredTarget, isMockHost, noteLeftOut } from './input/subject.js';
import { PROBE_EXIT_CODES, presentProbe } from './report/findings.js';
import { runnableFindings } from './report/next-commands.js';
import { showProbe } from './report/probe-page.js';
import {
  REDIRECT_COLUMNS,
  redirectRows,
  redirectLines,
  redirectVerdict,
  showRedirectHops,
} from './report/redirect-rows.js';

const ARGUMENTS = {
  words: argument('[from...]', 'Only the entries of these hosts', offering('redirect', anyText)),
};

type RedirectsOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.redirects>;

const FIELDS = outputFields(REDIRECT_COLUMNS, ['redirects', 'findings']);

export const redirects = defineCommand({
  word: 'redirects',
  summary: 'Check the redirect entries',
  description:
    'Check the redirect entries of petstore.config.json, as data and with requests over http and https.',
  arguments: ARGUMENTS,
  flags: DOMAIN_FLAGS.redirects,
  fields: FIELDS,
  examples: [
    'petstore domain redirects',
    'petstore domain redirects www.example.com',
    'petstore domain redirects --connect 127.0.0.1 --https-port 8443',
  ],
  notes: `-v shows the hops of each entry.\n\n${PROBE_EXIT_CODES}`,
  check: checkKind,
  run: showRedirects,
});

async function showRedirects(options: RedirectsOptions, session: Session): Promise<VerdictExitCode> {
  checkFlags(options, session);
  await checkOutput(FIELDS, session);
  const project = await readRedirects(options, session);
  const only = chooseHosts(options.words, project);
  const names = only.length > 0 ? only : project.redirects.map(({ from }) => from);
  const web = mockWeb(options, project.redirects);
  return withDns({ flags: options, names, web }, session, async (access) => {
    const request = await requestOf(only, { options, access }, project, session);
    const timeoutMs = runTimeoutMs(project.redirects.length, session);
    const checked = await checkRedirects(request, { ...access.options, timeoutMs });
    const findings = runnableFindings(checked.findings, session);
    return presentProbe('redirects', findings, presentationOf({ ...checked, findings }, session), session);
  });
}

/**
 * The entries of the project file. With --mock only those in `.test`, which the mock serves; without any, those of the
 * mock: the named ones, or the healthy one.
 */
async function readRedirects({ words, connect }: RedirectsOptions, session: Session): Promise<DomainProject> {
  const project = readDomainProject(session);
  if (!session.global.mock || connect !== undefined) return project;
  const own = project.redirects.filter(({ from, to }) => [from, to].every(isMockHost));
  if (own.length > 0) {
    const others = project.redirects.filter((entry) => !own.includes(entry));
    if (words.length === 0)
      noteLeftOut(
        others.map(({ from }) => from),
        session,
      );
    return { redirects: own, domains: [] };
  }
  const { BUILT_IN_REDIRECTS } = await import('../../../mock/index.js');
  const wanted = readDomainNames(words).map(({ ascii }) => ascii);
  const named = BUILT_IN_REDIRECTS.filter(({ from }) => wanted.includes(from));
  const areKnown = wanted.every((host) => named.some(({ from }) => from === host));
  if (!areKnown) return { redirects: BUILT_IN_REDIRECTS, domains: [] };
  if (wanted.length === 0 && session.terminal.stdout.isTTY)
    session.note('Checking a redirect of the mock. For others: petstore help mock-dns');
  return { redirects: named.length > 0 ? named : BUILT_IN_REDIRECTS.slice(0, 1), domains: [] };
}

const REDIRECTS_EXAMPLE = '"redirects": [{ "from": "www.example.com", "to": "example.com", "status": 301 }]';

/** The hosts to check, in ASCII. Empty: all. */
function chooseHosts(words: readonly string[], { path, redirects }: DomainProject): readonly string[] {
  const wanted = readDomainNames(words).map(({ ascii }) => ascii);
  if (redirects.length === 0) {
    throw new UsageError(
      path === undefined ? 'No petstore.config.json found' : `${path} lists no redirects`,
      path === undefined ? `Create it with: { ${REDIRECTS_EXAMPLE} }` : `Add: ${REDIRECTS_EXAMPLE}`,
    );
  }
  const unknown = wanted.filter((from) => redirects.every((entry) => asciiOf(entry.from) !== from));
  if (unknown.length === 0) return wanted;
  throw new UsageError(
    `No redirect from ${unknown.join(', ')} configured`,
    `Use one of: ${redirects.map((entry) => entry.from).join(', ')}.`,
  );
}

async function requestOf(
  only: readonly string[],
  { options, access }: { options: RedirectsOptions; access: DnsAccess },
  project: DomainProject,
  session: Session,
): Promise<RedirectsRequest> {
  return {
    redirects: project.redirects,
    only: only.length === 0 ? undefined : only,
    attached: attachedDomains(project),
    target: configuredTarget(options, session, project),
    probe: withMockAuthority(await probeOptions(options, session), access),
  };
}

function presentationOf(checked: RedirectsCheck, { global }: Session): Presentation {
  const { redirects, findings } = checked;
  return {
    fields: FIELDS,
    columns: REDIRECT_COLUMNS,
    rows: redirectRows(redirects, findings),
    document: checked,
    page(page) {
      const problems = findings.filter(({ severity }) => severity !== 'info');
      showProbe(problems, page, () => {
        page.text(redirectVerdict(redirects, findings));
        for (const line of redirectLines(redirects, findings))
          page.text(`Redirect: ${line}`, { first: '  ', rest: '    ' });
        if (problems.length > 0) page.gap();
      });
      if (!global.verbose) return;
      page.gap();
      showRedirectHops(redirects, page);
    },
    details(page) {
      showRedirectHops(redirects, page);
    },
  };
}
