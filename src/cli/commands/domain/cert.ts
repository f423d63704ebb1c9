import type { Command } from 'commander';
import {
  type CertificateReport,
  checkDomain,
  createProbes,
  type DomainName,
  exitCodeOf,
  type Finding,
  type ProbeSubject,
  type ProbeTarget,
  type Report,
  type VerdictExitCode,
} from '../../../domain/index.js';
import type { Bind, Session } from '../../action.js';
import { CommandFailure } from '../../command-failure.js';
import { addExamples } from '../../examples.js';
import { checkRenderOptions } from '../../output/index.js';
import { shellWord } from '../../shell-word.js';
import { checkAskFlags, openDns } from './dns-access.js';
import {
  addAskFlags,
  addProbeFlags,
  type AskFlags,
  type ProbeFlags,
  probeTarget,
  readAskFlags,
  readProbeFlags,
} from './domain-flags.js';
import { shownName } from './names.js';
import { ownCommand } from './next-commands.js';
import { createPage } from './page.js';
import { checkProbeFlags, probeExitCode, showFindings, toldSubject } from './probing.js';
import { CERTIFICATE_COLUMNS } from './report-text.js';
import { isOfRows, noIds, pageStyle } from './reports.js';
import { stateWords } from './state-words.js';
import { readSubject } from './subject.js';

/** What `domain cert` is asked for. */
export interface CertOptions {
  word: string;
  ask: AskFlags;
  probe: ProbeFlags;
}

/** What was seen. */
interface SeenCertificate {
  certificate: CertificateReport;
  findings: readonly Finding[];
}

const TIMEOUT_MS = 60_000;
const FIELDS = ['domain', 'status', 'addresses', 'findings'];

export function registerCert(domain: Command, bind: Bind): void {
  const command = domain
    .command('cert')
    .description('Look at the certificate of a custom domain on the wire, at each of its addresses.')
    .argument('<domain>', 'the custom domain');
  addProbeFlags(addAskFlags(command)).action((word: string, flags: Record<string, unknown>) =>
    bind(showCertificate, { word, ask: readAskFlags(flags), probe: readProbeFlags(flags) }),
  );
  addExamples(
    command,
    [
      'petstore domain cert shop.example.com --target cname.example.net',
      'petstore domain cert shop.example.com --connect 192.0.2.80',
    ],
    'Without --connect the records are looked at first: before they are right there\nis no certificate to see.',
  );
}

async function showCertificate(
  { word, ask, probe }: CertOptions,
  session: Session,
): Promise<VerdictExitCode> {
  checkAskFlags(ask, session);
  checkProbeFlags(probe, session);
  const { domains, target } = readSubject([word], ask, session);
  if (session.format === 'ids') throw noIds();
  const fields = isOfRows(session) ? CERTIFICATE_COLUMNS.map(({ field }) => field) : FIELDS;
  await checkRenderOptions({ ...session.global, format: session.format }, fields);
  const wanted = { target, probe: probeTarget(probe, session.context) };
  const [name] = domains;
  if (name === undefined) return 2;
  const seen =
    probe.connect === undefined
      ? await seenAtItsAddresses(name, wanted, ask, session)
      : await seenThere(toldSubject(name, wanted, session));
  await print(name, seen, session);
  return probeExitCode(seen.findings);
}

async function seenThere(subject: ProbeSubject): Promise<SeenCertificate> {
  const { report, findings } = await createProbes().certificate(subject);
  return { certificate: report, findings };
}

async function seenAtItsAddresses(
  name: DomainName,
  { target, probe }: { target: string; probe: ProbeTarget },
  ask: AskFlags,
  session: Session,
): Promise<SeenCertificate> {
  const dns = await openDns(ask, session);
  try {
    const timeoutMs = session.global.timeoutMs ?? TIMEOUT_MS;
    const report = await checkDomain(
      { domain: name.input, target, probe, kind: ask.kind },
      { ...dns.options, timeoutMs, probes: createProbes() },
    );
    const { certificate, findings } = report;
    if (certificate === undefined)
      throw notYet(name, report, ownCommand(verifyCommand(name, target), ask, session.global.mock));
    return { certificate, findings: findings.filter(({ axis }) => axis === 'certificate') };
  } finally {
    await dns.close().catch(() => undefined);
  }
}

function notYet({ ascii }: DomainName, { state, findings }: Report, command: string): CommandFailure {
  return new CommandFailure(
    `the certificate of ${ascii} was not looked at: its records are not right (${stateWords(state).words})`,
    {
      type: 'domain-not-ready',
      exitCode: exitCodeOf(state, findings),
      hint: `${command} tells what is wrong`,
    },
  );
}

function verifyCommand({ ascii }: DomainName, target: string): string {
  return `petstore domain verify ${ascii} --target ${shellWord(target)}`;
}

async function print(
  name: DomainName,
  { certificate, findings }: SeenCertificate,
  session: Session,
): Promise<void> {
  const { format, global, context } = session;
  const rows = certificate.addresses.map((address) => ({ ...address }));
  const isPlain = global.fields === undefined && global.query === undefined && global.sort === undefined;
  if (format === 'table' && isPlain) {
    const page = await createPage(pageStyle(session), { name, certificate, findings });
    page.text(`${shownName(name)}: certificate ${certificate.status}`);
    showFindings(findings, page);
    page.gap();
    await page.table(rows, CERTIFICATE_COLUMNS, '  ');
    context.stdout.write(page.toString());
  } else if (isOfRows(session)) {
    await session.print({ kind: 'list', rows, columns: CERTIFICATE_COLUMNS });
  } else {
    const row = { domain: name, ...certificate, findings };
    await session.print({ kind: 'record', row, columns: CERTIFICATE_COLUMNS });
  }
}
