import {
  type PlannedDomain,
  planRecords,
  type RecordPlan,
  todoLines,
  zoneFile,
  type ZoneRecords,
} from '../../../domain/index.js';
import type { ValuesOf } from '../../command-line/flag.js';
import type { OutputFields } from '../../command-line/command-tree.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { checkOutput, present, type Presentation } from '../../session/present.js';
import { type Column, isDocumentFormat, OUTPUT_FORMATS } from '../../output/index.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  checkFlags,
  longerRunTimeout,
  MOCK_ISSUER,
  runTimeoutMs,
  TIMEOUT_HELP,
  withDns,
} from './dns-access.js';
import { checkKind, DOMAIN_FLAGS, kindOf } from './input/domain-flags.js';
import { domainArguments, readSubject } from './input/subject.js';
import { renderCommand, runnableFindings, withTextTimes } from './report/next-commands.js';
import { lowerTtlText, otherRightRecords, rightText, showPlans } from './report/plan-text.js';

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
  'todo',
  'lowerTtl',
  'keepsOldServer',
  'findings',
  'visibleInSeconds',
];

const RECORDS_HELP = `Another format:
- -o zone: lines of a zone file

Before the switch:
- Shows the records that are there now, which TTL to lower first, and the
  changes in order.
- The command queries the name servers of the domain for this.
- ${TIMEOUT_HELP}

Exit codes:
- 0: the records are shown, whatever is set now
- 2: a name, flag or setting is invalid; other names are planned`;

const ARGUMENTS = domainArguments('plan for');

type RecordsOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.records>;

export const records = defineCommand({
  word: 'records',
  summary: 'Show the DNS records to set',
  description: 'Show the records that custom domains need, and the changes to make.',
  arguments: ARGUMENTS,
  flags: DOMAIN_FLAGS.records,
  formats: [...OUTPUT_FORMATS, 'zone'],
  fields: outputFields(COLUMNS, PLAN_FIELDS),
  examples: [
    'petstore domain records shop.example.com --target cname.example.net',
    'petstore domain records shop.example.com --target cname.example.net -o zone',
  ],
  notes: RECORDS_HELP,
  check: checkKind,
  run: showRecords,
});

async function showRecords(options: RecordsOptions, session: Session): Promise<number> {
  checkFlags(options, session);
  const { domains, names, target } = readSubject(options.words, options, session);
  await checkOutput(fieldsOf(domains.length, session), session);
  return withDns({ flags: options, names }, session, async (access) => {
    const issuer = session.global.mock ? MOCK_ISSUER : undefined;
    const requests = domains.map(({ input }) => ({ domain: input, target, kind: kindOf(options), issuer }));
    const timeoutMs = runTimeoutMs(domains.length, session);
    const planned: PlannedDomain[] = [];
    for await (const one of planRecords(requests, { ...access.options, timeoutMs })) planned.push(one);
    const [plans, invalid] = [planned.flatMap((one) => planOf(one, session)), planned.flatMap(problemOf)];
    if (plans.length === 0) throw new UsageError(invalid[0] ?? 'Not a domain name');
    await print(plans, domains.length, session);
    for (const problem of invalid) session.warn(problem);
    const ranOut = planned.some((one) => one.ok && one.ranOutAfterMs !== undefined);
    warnOfUnknownRecords(plans, { ranOut, target }, session);
    return invalid.length > 0 ? EXIT.usage : EXIT.ok;
  });
}

function planOf(planned: PlannedDomain, session: Session): RecordPlan[] {
  if (!planned.ok) return [];
  return [{ ...planned.plan, findings: runnableFindings(planned.plan.findings, session) }];
}

/** Why there is no plan for an invalid name. */
function problemOf(planned: PlannedDomain): string[] {
  return planned.ok ? [] : planned.report.findings.map(({ id, message }) => `${message} (${id})`);
}

function fieldsOf(count: number, { format }: Session): OutputFields {
  // A query applies to the records in a format with rows.
  if (!isDocumentFormat(format)) return outputFields(COLUMNS);
  return outputFields(COLUMNS, count === 1 ? PLAN_FIELDS : ['domains'], PLAN_FIELDS);
}

/** @param count of the domains, also the invalid ones: the JSON of several does not depend on their names. */
async function print(plans: readonly RecordPlan[], count: number, session: Session): Promise<void> {
  const { context, format, global } = session;
  if (global.ownFormat !== undefined) {
    context.stdout.write(zoneFile(byZone(plans)));
    noteProblems(plans, session);
    return;
  }
  const lines = withTextTimes(plans);
  const rows = plans.flatMap(({ expected }) => expected);
  const [document = {}] = count === 1 ? lines : [{ domains: lines }];
  const result: Presentation = {
    fields: fieldsOf(count, session),
    columns: COLUMNS,
    rows,
    document: isDocumentFormat(format) ? document : rows,
    lines,
    page(page) {
      showPlans(plans, page);
    },
  };
  const shape = await present(result, session);
  if (shape !== 'page' && !isDocumentFormat(format)) noteProblems(plans, session);
}

/** Warns of what to do, in formats that show only the records to add. The whole values are in JSON. */
function noteProblems(plans: readonly RecordPlan[], session: Session): void {
  for (const plan of plans) {
    const { domain, todo, findings } = plan;
    const name = domain.ascii;
    if (otherRightRecords(plan).length > 0) session.warn(`${name} needs no change: ${rightText(plan) ?? ''}`);
    const first = lowerTtlText(plan);
    if (first !== undefined) session.warn(`${name}: ${first}`);
    const isOnlyAdded = todo.every(({ action, record }) => action === 'add' && record.type !== 'CAA');
    const changes = isOnlyAdded ? [] : todoLines(plan).filter(({ records: changed }) => changed.length > 0);
    for (const { text } of changes) session.warn(`${name}: ${text}`);
    for (const { id, message, fix, severity } of findings) {
      if (severity !== 'unknown' && fix?.remove.length === 0 && fix.add.length === 0)
        session.warn(`${message} ${fix?.text ?? ''} [${id}]`);
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
