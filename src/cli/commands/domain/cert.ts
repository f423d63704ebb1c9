import type { Command } from 'commander';
import {
  addressesOf,
  type CertificateReport,
  type CheckOptions,
  createProbes,
  type DomainName,
  type Finding,
  type VerdictExitCode,
} from '../../../domain/index.js';
import type { Bind, Session } from '../../session/action.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import { checkRenderOptions, noIdError, reshapingFlag } from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import { describeFields } from '../../help/describe-fields.js';
import { checkDnsFlags, moreTime, openDns, runTimeoutMs } from './dns-access.js';
import {
  addDnsFlags,
  addProbeFlags,
  addVerifiedAtFlag,
  type DnsFlags,
  checkVerifiedAt,
  type ProbeFlags,
  probeTarget,
  readDnsFlags,
  readProbeFlags,
  readVerifiedAt,
} from './domain-flags.js';
import { shownName } from './report/names.js';
import { inheritedFlags, renderCommand } from './next-commands.js';
import { checkProbeFlags, probeExitCode, showFindings, withinRunTime } from './probing.js';
import { CERTIFICATE_COLUMNS } from './report/report-text.js';
import { isOfRows, pageStyle } from './report/reports.js';
import { readOneSubject } from './subject.js';
import { isTrial, openVerifiedMemory } from './verify/verified-memory.js';

/** What `domain cert` is asked for. */
export interface CertOptions {
  word: string;
  dns: DnsFlags;
  probe: ProbeFlags;
  /** When verification succeeded, in milliseconds since the epoch. */
  verifiedAt?: number;
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
  addVerifiedAtFlag(addProbeFlags(addDnsFlags(command))).action(
    (word: string, flags: Record<string, unknown>) => {
      const verifiedAt = readVerifiedAt(flags);
      return bind(showCertificate, {
        word,
        dns: readDnsFlags(flags),
        probe: readProbeFlags(flags),
        ...(verifiedAt === undefined ? {} : { verifiedAt }),
      });
    },
  );
  describeFields(command, CERTIFICATE_COLUMNS, FIELDS);
  addExamples(
    command,
    [
      'petstore domain cert shop.example.com',
      'petstore domain cert shop.example.com --target cname.example.net',
      'petstore domain cert shop.example.com --connect 192.0.2.80',
    ],
    'Looks at every address that the domain has, whether its records are right or\n' +
      'not. The name servers of the domain are asked for them. With a target, and\n' +
      'without --connect and --authoritative-port, it is known from an earlier domain\n' +
      'verify whether a certificate is overdue.',
  );
}

async function showCertificate(options: CertOptions, session: Session): Promise<VerdictExitCode> {
  const { word, dns: ask, probe, verifiedAt } = options;
  checkDnsFlags(ask, session);
  checkProbeFlags(probe, session);
  checkVerifiedAt(verifiedAt, session.context);
  const { name, target } = readOneSubject(word, ask, session);
  if (session.format === 'ids') throw noIdError();
  const fields = isOfRows(session) ? CERTIFICATE_COLUMNS.map(({ field }) => field) : FIELDS;
  await checkRenderOptions({ ...session.global, format: session.format }, fields);
  const dns = await openDns(ask, session);
  try {
    // Of one limit: what it took to find the addresses, there is less time for to look at them.
    const dnsOptions = { ...dns.options, timeoutMs: runTimeoutMs(1, session) };
    const seen = await withinRunTime(session, (signal) =>
      lookAt({ name, target, signal }, options, dnsOptions, session),
    );
    await print(name, seen, session);
    return probeExitCode(seen.findings);
  } finally {
    await dns.close().catch(() => undefined);
  }
}

async function lookAt(
  { name, target, signal }: { name: DomainName; target: string | undefined; signal: AbortSignal },
  options: CertOptions,
  dnsOptions: CheckOptions,
  session: Session,
): Promise<SeenCertificate> {
  const { dns, probe, verifiedAt } = options;
  const addresses =
    probe.connect === undefined ? await neededAddresses(name, options, dnsOptions, session) : [];
  const told = await probeTarget(probe, session);
  const memory = openVerifiedMemory(session, { told: verifiedAt, isTrial: isTrial({ dns, probe }) });
  const { report, findings } = await createProbes().certificate({
    domain: name.ascii,
    target,
    addresses,
    addressesOf: (host) => addressesOf(host, dnsOptions),
    probe: told,
    verifiedAt: target === undefined ? verifiedAt : memory.verifiedAt(name.ascii, target),
    now: session.context.clock.now(),
    signal,
  });
  return { certificate: report, findings };
}

/** @throws CommandFailure where the name leads nowhere, so that there is nothing to look at. */
async function neededAddresses(
  name: DomainName,
  options: CertOptions,
  dnsOptions: CheckOptions,
  session: Session,
): Promise<readonly string[]> {
  const { outcome, addresses, ranOut = false } = await addressesOf(name.ascii, dnsOptions);
  if (outcome === 'found') return addresses;
  const isMissing = outcome === 'missing';
  const { target } = readOneSubject(name.input, options.dns, session);
  const domains = [name.ascii];
  const flags = inheritedFlags(options, session);
  if (ranOut) {
    const again = { verb: 'cert', domains, target, timeout: moreTime(1, session) } as const;
    throw new CommandFailure(
      `the time allowed ran out before an address of ${name.ascii} was told, so there is no certificate to see`,
      {
        type: 'domain-not-ready',
        exitCode: EXIT.inconclusive,
        hint: renderCommand(again, flags, session.global),
      },
    );
  }
  const verify = { verb: 'verify', domains, target: target ?? 'TARGET' } as const;
  throw new CommandFailure(
    isMissing
      ? `${name.ascii} has no address, so there is no certificate to see`
      : `no name server told an address of ${name.ascii}, so there is no certificate to see`,
    {
      type: 'domain-not-ready',
      exitCode: isMissing ? EXIT.failed : EXIT.inconclusive,
      hint: `${renderCommand(verify, flags, session.global)} tells what is wrong`,
    },
  );
}

async function print(
  name: DomainName,
  { certificate, findings }: SeenCertificate,
  session: Session,
): Promise<void> {
  const { format, global, context } = session;
  const rows = certificate.addresses.map((address) => ({ ...address }));
  if (format === 'table' && reshapingFlag(global) === undefined) {
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
