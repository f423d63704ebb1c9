import { type CertificateCheck, checkCertificate, type VerdictExitCode } from '../../../domain/index.js';
import { argument, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { checkOutput, type Presentation } from '../../session/present.js';
import {
  checkFlags,
  type DnsAccess,
  longerRunTimeout,
  mockWeb,
  runTimeoutMs,
  withDns,
  withMockAuthority,
} from './dns-access.js';
import { checkKind, DOMAIN_FLAGS, probeOptions } from './input/domain-flags.js';
import { shownName } from './input/names.js';
import { aDomain, readOneSubject } from './input/subject.js';
import { PROBE_EXIT_CODES, presentProbe } from './report/findings.js';
import { renderCommand, runnableFindings, withTextTimes } from './report/next-commands.js';
import { showProbe } from './report/probe-page.js';
import { CERTIFICATE_COLUMNS, showCertificates } from './report/report-details.js';
import { openVerificationTimes } from './verification-times.js';

const ARGUMENTS = { word: argument('<domain>', 'The custom domain', aDomain) };

type CertOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.cert>;

const FIELDS = outputFields(CERTIFICATE_COLUMNS, ['domain', 'status', 'addresses', 'findings']);

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
  fields: FIELDS,
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
  checkFlags(options, session);
  const subject = readOneSubject(options.word, options, session);
  await checkOutput(FIELDS, session);
  const { name } = subject;
  const checked = { flags: options, names: [name.ascii], web: mockWeb(options) };
  return withDns(checked, session, async (access) => {
    const { certificate, findings } = await checkServedCertificate(subject, options, access, session);
    const shown = withTextTimes(certificate);
    const result: Presentation = {
      fields: FIELDS,
      columns: CERTIFICATE_COLUMNS,
      rows: shown.addresses,
      document: { domain: name, ...shown, findings },
      page(page) {
        showProbe(findings, page, () => {
          page.text(`${shownName(name)}: certificate ${shown.status}`);
        });
        page.gap();
        showCertificates(shown, page);
      },
    };
    return presentProbe(shownName(name), findings, result, session);
  });
}

async function checkServedCertificate(
  { name, target }: ReturnType<typeof readOneSubject>,
  options: CertOptions,
  access: DnsAccess,
  session: Session,
) {
  const request = {
    domain: name.ascii,
    target,
    probe: withMockAuthority(await probeOptions(options, session), access),
    ...openVerificationTimes(options, session).verification(name.ascii, target),
  };
  // One time limit for the addresses and the certificates.
  const timeoutMs = runTimeoutMs(1, session);
  const checked = await checkCertificate(request, { ...access.options, timeoutMs });
  const { certificate, findings } = checked;
  if (certificate === undefined) throw withoutAddress({ name, target }, checked, session);
  return { certificate, findings: runnableFindings(findings, session) };
}

/** The failure of a domain without a known address. */
function withoutAddress(
  { name, target }: ReturnType<typeof readOneSubject>,
  { found: { outcome, ranOut = false } = { outcome: 'unknown', addresses: [] } }: CertificateCheck,
  session: Session,
): CommandFailure {
  const isMissing = outcome === 'missing';
  const domains = [name.ascii];
  const again = { verb: 'cert', domains, target, timeout: longerRunTimeout(1, session) } as const;
  const verify = { verb: 'verify', domains, target: target ?? 'TARGET' } as const;
  const problem = ranOut
    ? `The time limit ended the lookup of ${name.ascii}`
    : `No name server returned an address of ${name.ascii}`;
  return new CommandFailure(
    isMissing
      ? `${name.ascii} has no address, so it serves no certificate`
      : `${problem}, so the certificate could not be checked`,
    {
      type: 'domain-not-ready',
      exitCode: isMissing ? EXIT.failed : EXIT.inconclusive,
      hint: ranOut
        ? `Allow more time: ${renderCommand(again, session)}`
        : `To find the reason, run: ${renderCommand(verify, session)}`,
    },
  );
}
