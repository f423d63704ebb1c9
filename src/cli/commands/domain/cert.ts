import {
  type CertificateCheck,
  type CertificateReport,
  checkCertificate,
  type CheckOptions,
  type DomainName,
  type Finding,
  type VerdictExitCode,
} from '../../../domain/index.js';
import { argument, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { checkRenderOptions, noIdError, reshapingFlag } from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import { checkDnsFlags, type DnsAccess, longerRunTimeout, openDns, runTimeoutMs } from './dns-access.js';
import { checkKind, checkVerifiedAt, DOMAIN_FLAGS, probeTarget } from './input/domain-flags.js';
import { withTextTimes } from './report/text-times.js';
import { annotateFindings } from './report/annotate-findings.js';
import { shownName } from './input/names.js';
import { renderCommand, runnableFindings } from './report/next-commands.js';
import {
  checkProbeFlags,
  mockWeb,
  PROBE_EXIT_CODES,
  probeExitCode,
  showFindings,
  withMockAuthority,
} from './probing.js';
import { CERTIFICATE_COLUMNS, showCertificates } from './report/report-details.js';
import { hasRows, pageStyle } from './report/reports.js';
import { aDomain, readOneSubject } from './input/subject.js';
import { givenAt, isTrial, openVerificationTimes } from './verification-times.js';

const ARGUMENTS = { word: argument('<domain>', 'The custom domain', aDomain) };

type CertOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.cert>;

interface CheckedCertificate {
  certificate: CertificateReport;
  findings: readonly Finding[];
}

const FIELDS = ['domain', 'status', 'addresses', 'findings'];

const CERT_HELP = `Checks every address of the domain, even if its records are wrong.

A certificate is overdue 30 minutes after verification:
- "petstore domain verify" stores the time of verification, by domain and
  target.
- --verified-at overrides the stored time.
- With --connect or --authoritative-port the stored time is not used.

${PROBE_EXIT_CODES}`;

export const cert = defineCommand({
  word: 'cert',
  summary: 'Check the certificate that each address serves',
  description: 'Check the certificate of a custom domain at each of its addresses.',
  arguments: ARGUMENTS,
  flags: DOMAIN_FLAGS.cert,
  fields: outputFields(CERTIFICATE_COLUMNS, FIELDS),
  examples: [
    'petstore domain cert shop.example.com',
    'petstore domain cert shop.example.com --target cname.example.net',
    'petstore domain cert shop.example.com --connect 192.0.2.80',
  ],
  notes: CERT_HELP,
  check: checkKind,
  run: showCertificate,
});

async function showCertificate(options: CertOptions, session: Session): Promise<VerdictExitCode> {
  checkDnsFlags(options, session);
  checkProbeFlags(options, session);
  checkVerifiedAt(options.verifiedAt, session.context);
  const { name, target } = readOneSubject(options.word, options, session);
  if (session.format === 'ids') throw noIdError();
  const fields = hasRows(session) ? CERTIFICATE_COLUMNS.map(({ field }) => field) : FIELDS;
  await checkRenderOptions({ ...session.global, format: session.format }, fields);
  const dns = await openDns(options, [name.ascii], session, mockWeb(options));
  try {
    // One time limit for the addresses and the certificates.
    const access = { ...dns, options: { ...dns.options, timeoutMs: runTimeoutMs(1, session) } };
    const checked = await checkServedCertificate({ name, target }, options, access, session);
    await print(name, checked, session);
    const exitCode = probeExitCode(checked.findings);
    if (exitCode !== 0) annotateFindings(shownName(name), undefined, checked.findings, session);
    return exitCode;
  } finally {
    await dns.close().catch(() => undefined);
  }
}

async function checkServedCertificate(
  { name, target }: { name: DomainName; target: string | undefined },
  options: CertOptions,
  access: DnsAccess & { options: CheckOptions },
  session: Session,
): Promise<CheckedCertificate> {
  const { verifiedAt } = options;
  const times = openVerificationTimes(session, { given: verifiedAt, isTrial: isTrial(options) });
  const request = {
    domain: name.ascii,
    target,
    probe: withMockAuthority(await probeTarget(options, session), access),
    ...(target === undefined ? givenAt(verifiedAt) : times.verification(name.ascii, target)),
  };
  const checked = await checkCertificate(request, { ...access.options, route: access.web?.route });
  const { certificate, findings } = checked;
  if (certificate === undefined) throw withoutAddress(name, checked, options, session);
  return { certificate, findings: runnableFindings(findings, session) };
}

/** The failure of a domain without a known address. */
function withoutAddress(
  name: DomainName,
  { found: { outcome, ranOut = false } = { outcome: 'unknown', addresses: [] } }: CertificateCheck,
  options: CertOptions,
  session: Session,
): CommandFailure {
  const isMissing = outcome === 'missing';
  const { target } = readOneSubject(name.input, options, session);
  const domains = [name.ascii];
  if (ranOut) {
    const again = { verb: 'cert', domains, target, timeout: longerRunTimeout(1, session) } as const;
    return new CommandFailure(
      `The time limit ended the lookup of ${name.ascii}, so the certificate could not be checked`,
      {
        type: 'domain-not-ready',
        exitCode: EXIT.inconclusive,
        hint: `Allow more time: ${renderCommand(again, session)}`,
      },
    );
  }
  const verify = { verb: 'verify', domains, target: target ?? 'TARGET' } as const;
  return new CommandFailure(
    isMissing
      ? `${name.ascii} has no address, so it serves no certificate`
      : `No name server returned an address of ${name.ascii}, so the certificate could not be checked`,
    {
      type: 'domain-not-ready',
      exitCode: isMissing ? EXIT.failed : EXIT.inconclusive,
      hint: `To find the reason, run: ${renderCommand(verify, session)}`,
    },
  );
}

async function print(
  name: DomainName,
  { certificate, findings }: CheckedCertificate,
  session: Session,
): Promise<void> {
  const { format, global, context } = session;
  const shown = withTextTimes(certificate);
  if (format === 'table' && reshapingFlag(global) === undefined) {
    const style = pageStyle(session);
    const page = await createPage(style, { name, certificate: shown, findings });
    page.text(`${shownName(name)}: certificate ${certificate.status}`);
    showFindings(findings, page, style.now);
    page.gap();
    showCertificates(shown, page, style.now);
    context.stdout.write(page.toString());
  } else if (hasRows(session)) {
    const rows = shown.addresses.map((address) => ({ ...address }));
    await session.print({ kind: 'list', rows, columns: CERTIFICATE_COLUMNS });
  } else {
    const row = { domain: name, ...shown, findings };
    await session.print({ kind: 'record', row, columns: CERTIFICATE_COLUMNS });
  }
}
