import {
  type PlannedDomain,
  planRecords,
  type RecordPlan,
  terraform,
  zoneFile,
  type ZoneRecords,
} from '../../../domain/index.js';
import { argument, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields } from '../../session/command.js';
import {
  checkRenderOptions,
  type Column,
  isDocumentFormat,
  noIdError,
  OUTPUT_FORMATS,
  reshapingFlag,
  type View,
} from '../../output/index.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  checkDnsFlags,
  longerRunTimeout,
  MOCK_ISSUER,
  openDns,
  runTimeoutMs,
  TIMEOUT_HELP,
} from './dns-access.js';
import { checkKind, DOMAIN_FLAGS, kindOf } from './input/domain-flags.js';
import { renderCommand, runnableFindings } from './report/next-commands.js';
import { withTextTimes } from './report/text-times.js';
import { needsRecordChange, otherRightRecords, planText, rightText } from './report/plan-text.js';
import { pageStyle } from './report/reports.js';
import { aDomain, readSubject } from './input/subject.js';

const COLUMNS: readonly Column[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'label', header: 'label', fixed: true },
  { field: 'name', header: 'name', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'ttl', header: 'ttl', fixed: true },
];

const PLAN_FIELDS = [
  'domain',
  'kind',
  'zone',
  'decidedBy',
  'expected',
  'current',
  'remove',
  'steps',
  'findings',
  'visibleInSeconds',
];

const PLAN_COLUMNS = PLAN_FIELDS.map((field): Column => ({ field, header: field }));

const RECORDS_HELP = `More formats:
- -o zone: lines of a zone file
- -o terraform: resources for the provider hashicorp/dns

Before the switch:
- Shows the records that are there now, which TTL to lower first, and the order
  of the steps.
- The command queries the name servers of the domain for this.
- ${TIMEOUT_HELP}

Exit codes:
- 0: the records are shown, whatever is set now
- 2: a name, flag or setting is invalid; nothing was queried`;

const ARGUMENTS = {
  words: argument('[domains...]', 'Domains to plan for (default: those of petstore.config.json)', aDomain),
};

type RecordsOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.records>;

export const records = defineCommand({
  word: 'records',
  summary: 'Show the DNS records to set',
  description: 'Show the records that custom domains need, and the steps to set them.',
  arguments: ARGUMENTS,
  flags: DOMAIN_FLAGS.records,
  formats: [...OUTPUT_FORMATS, 'zone', 'terraform'],
  fields: outputFields(COLUMNS, PLAN_FIELDS),
  examples: [
    'petstore domain records shop.example.com --target cname.example.net',
    'petstore domain records shop.example.com --target cname.example.net -o zone',
    'petstore domain records --target cname.example.net -o terraform example.com',
  ],
  notes: RECORDS_HELP,
  check: checkKind,
  run: showRecords,
});

async function showRecords(options: RecordsOptions, session: Session): Promise<undefined> {
  checkDnsFlags(options, session);
  const { domains, target } = readSubject(options.words, options, session);
  if (session.global.ownFormat === undefined) await checkOutput(domains.length, session);
  const dns = await openDns(
    options,
    domains.map(({ ascii }) => ascii),
    session,
  );
  try {
    const issuer = session.global.mock ? MOCK_ISSUER : undefined;
    const requests = domains.map(({ input }) => ({ domain: input, target, kind: kindOf(options), issuer }));
    const timeoutMs = runTimeoutMs(domains.length, session);
    const plans: RecordPlan[] = [];
    let ranOut = false;
    for await (const planned of planRecords(requests, { ...dns.options, timeoutMs })) {
      plans.push(planOf(planned, session));
      ranOut ||= planned.ok && planned.ranOutAfterMs !== undefined;
    }
    await print(plans, session);
    warnOfUnknownRecords(plans, { ranOut, target }, session);
  } finally {
    await dns.close().catch(() => undefined);
  }
}

/** Names were validated before, so this is always a plan. */
function planOf(planned: PlannedDomain, session: Session): RecordPlan {
  if (planned.ok) return { ...planned.plan, findings: runnableFindings(planned.plan.findings, session) };
  throw new UsageError(planned.report.findings[0]?.message ?? 'Not a domain name');
}

async function checkOutput(count: number, { format, global }: Session): Promise<void> {
  if (format === 'ids') throw noIdError();
  const wraps = count > 1 && format !== 'ndjson';
  const fields = isDocumentFormat(format)
    ? wraps
      ? ['domains']
      : PLAN_FIELDS
    : COLUMNS.map(({ field }) => field);
  await checkRenderOptions({ ...global, format }, fields);
}

async function print(plans: readonly RecordPlan[], session: Session): Promise<void> {
  const { context, format, global } = session;
  if (global.ownFormat !== undefined) {
    const write = global.ownFormat === 'zone' ? zoneFile : terraform;
    context.stdout.write(write(byZone(plans)));
    noteProblems(plans, session);
    return;
  }
  if (format === 'table' && reshapingFlag(global) === undefined) {
    context.stdout.write(await planText(plans, pageStyle(session)));
    return;
  }
  await session.print(viewOf(plans, session));
  if (!isDocumentFormat(format)) noteProblems(plans, session);
}

function viewOf(recordPlans: readonly RecordPlan[], { format }: Session): View {
  const plans = withTextTimes(recordPlans);
  const [first, second] = plans;
  switch (format) {
    case 'ndjson':
      return { kind: 'list', rows: plans.map((plan) => ({ ...plan })), columns: PLAN_COLUMNS };
    case 'json':
    case 'yaml':
      return first !== undefined && second === undefined
        ? { kind: 'record', row: { ...first }, columns: PLAN_COLUMNS }
        : { kind: 'record', row: { domains: plans }, columns: COLUMNS };
    default: {
      const rows = plans.flatMap(({ expected }) => expected.map((record) => ({ ...record })));
      return { kind: 'list', rows, columns: COLUMNS };
    }
  }
}

/**
 * Warns of records to remove, and of problems that no record fixes, in formats that show only the records to add. The whole
 * values are in JSON.
 */
function noteProblems(plans: readonly RecordPlan[], session: Session): void {
  for (const plan of plans) {
    const { domain, steps, findings } = plan;
    if (otherRightRecords(plan).length > 0)
      session.warn(`${domain.ascii} needs no change: ${rightText(plan)}`);
    for (const { action, text } of steps) {
      if (action === 'replace' || action === 'remove') session.warn(`${domain.ascii}: ${text}`);
    }
    for (const finding of findings) {
      const isShown =
        needsRecordChange(finding) && !(finding.axis === 'caa' && finding.fix?.action === 'add');
      if (finding.severity === 'unknown' || isShown) continue;
      const fix = finding.fix === undefined ? '' : ` ${finding.fix.text}`;
      session.warn(`${finding.message}${fix} [${finding.id}]`);
    }
  }
}

/** Warns if the current records are unknown: the plan then lists no records to remove. */
function warnOfUnknownRecords(
  plans: readonly RecordPlan[],
  { ranOut, target }: { ranOut: boolean; target: string },
  session: Session,
): void {
  const unknown = plans.filter(({ visibleInSeconds }) => visibleInSeconds === undefined);
  if (unknown.length === 0) return;
  const domains = unknown.map(({ domain }) => domain.ascii);
  const isGuess = unknown.some(({ decidedBy }) => decidedBy === 'public-suffix');
  const guess = isGuess ? ' The zone is a guess from the public suffix list.' : '';
  const names = domains.join(', ');
  const [what, help] = ranOut
    ? [
        `The time limit ended the check, so the current records of ${names} are unknown.`,
        `Allow more time with ${longerRunTimeout(plans.length, session)}.`,
      ]
    : [
        `No name server returned the current records of ${names}.`,
        `To find the reason, run: ${renderCommand({ verb: 'verify', domains, target }, session)}`,
      ];
  session.warn(`${what}${guess} ${help}`);
}

/** Groups the records by zone, in order of first appearance. */
function byZone(plans: readonly RecordPlan[]): ZoneRecords[] {
  return [...new Set(plans.map(({ zone }) => zone))].map((zone) => ({
    zone,
    records: plans.flatMap((plan) => (plan.zone === zone ? plan.expected : [])),
  }));
}
