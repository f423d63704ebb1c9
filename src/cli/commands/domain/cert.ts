import type { Command } from 'commander';
import {
  type CertificateReport,
  createProbes,
  type DomainName,
  type Finding,
  type ProbeSubject,
  type VerdictExitCode,
} from '../../../domain/index.js';
import type { Bind, Session } from '../../action.js';
import { CommandFailure } from '../../command-failure.js';
import { addExamples } from '../../examples.js';
import { checkRenderOptions } from '../../output/index.js';
import { shellWord } from '../../shell-word.js';
import { checkAskFlags } from './dns-access.js';
import {
  addAskFlags,
  addProbeFlags,
  type AskFlags,
  type ProbeFlags,
  probeTarget,
  readAskFlags,
  readProbeFlags,
} from './domain-flags.js';
import { checkedAddresses, resolvedAddresses } from './name-addresses.js';
import { shownName } from './names.js';
import { ownCommand } from './next-commands.js';
import { createPage } from './page.js';
import { checkProbeFlags, probeExitCode, showFindings, toldSubject, withinRunTime } from './probing.js';
import { CERTIFICATE_COLUMNS } from './report-text.js';
import { isOfRows, noIds, pageStyle } from './reports.js';
import { readOneSubject } from './subject.js';

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
      'petstore domain cert shop.example.com',
      'petstore domain cert shop.example.com --target cname.example.net',
      'petstore domain cert shop.example.com --connect 192.0.2.80',
    ],
    'Looks at every address that the domain has, whether its records are right or\nnot. ' +
      'With a target the name servers of the domain are asked for them, else a\nresolver.',
  );
}

async function showCertificate(
  { word, ask, probe }: CertOptions,
  session: Session,
): Promise<VerdictExitCode> {
  checkAskFlags(ask, session);
  checkProbeFlags(probe, session);
  const { name, target } = readOneSubject(word, ask, session);
  if (session.format === 'ids') throw noIds();
  const fields = isOfRows(session) ? CERTIFICATE_COLUMNS.map(({ field }) => field) : FIELDS;
  await checkRenderOptions({ ...session.global, format: session.format }, fields);
  const told = await probeTarget(probe, session);
  const seen = await withinRunTime(session, async (signal) => {
    const addresses = told.connect === undefined ? await addressesOf(name, target, ask, session, signal) : [];
    const { context } = session;
    // Without a target, nothing is taken for the platform's own certificate.
    const wanted = { target: target ?? name.ascii, probe: told };
    return seenThere({ ...toldSubject(name, wanted, { context, signal }), addresses });
  });
  await print(name, seen, session);
  return probeExitCode(seen.findings);
}

async function seenThere(subject: ProbeSubject): Promise<SeenCertificate> {
  const { report, findings } = await createProbes().certificate(subject);
  return { certificate: report, findings };
}

/** @throws CommandFailure where the name leads nowhere, so that there is nothing to look at. */
async function addressesOf(
  name: DomainName,
  target: string | undefined,
  ask: AskFlags,
  session: Session,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { addresses, exitCode } =
    target === undefined
      ? await resolvedAddresses(name, ask, signal)
      : await checkedAddresses(name, target, ask, session);
  if (addresses.length > 0) return addresses;
  const verify = `petstore domain verify ${name.ascii} --target ${target === undefined ? 'TARGET' : shellWord(target)}`;
  throw new CommandFailure(`no address of ${name.ascii} was found, so there is no certificate to see`, {
    type: 'domain-not-ready',
    exitCode,
    hint: `${ownCommand(verify, { ask }, session.global.mock)} tells what is wrong`,
  });
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
    page.table(rows, CERTIFICATE_COLUMNS, '  ');
    context.stdout.write(page.toString());
  } else if (isOfRows(session)) {
    await session.print({ kind: 'list', rows, columns: CERTIFICATE_COLUMNS });
  } else {
    const row = { domain: name, ...certificate, findings };
    await session.print({ kind: 'record', row, columns: CERTIFICATE_COLUMNS });
  }
}
