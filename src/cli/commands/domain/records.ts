import type { Command } from 'commander';
import {
  type PlannedDomain,
  planRecords,
  type RecordPlan,
  terraform,
  zoneFile,
  type ZoneRecords,
} from '../../../domain/index.js';
import type { Bind, Session } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import {
  checkRenderOptions,
  type Column,
  isDocumentFormat,
  noIdError,
  reshapingFlag,
  type View,
} from '../../output/index.js';
import { describeFields } from '../../help/describe-fields.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkDnsFlags, moreTime, openDns, runTimeoutMs } from './dns-access.js';
import { addDnsFlags, type DnsFlags, readDnsFlags } from './domain-flags.js';
import { planText } from './report/plan-text.js';
import { pageStyle } from './report/reports.js';
import { readSubject } from './subject.js';

/** What `domain records` is asked for. */
export interface RecordsOptions {
  words: readonly string[];
  dns: DnsFlags;
  /** A format that only this command has. */
  configuration?: ConfigurationFormat;
}

/** What configuration is written in. */
type ConfigurationFormat = 'zone' | 'terraform';

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
  'remove',
  'steps',
  'visibleInSeconds',
];

/** Also the fields that a plan need not have. */
const PLAN_COLUMNS = PLAN_FIELDS.map((field): Column => ({ field, header: field }));

export function registerRecords(domain: Command, bind: Bind): void {
  const command = domain
    .command('records')
    .description(
      'Show the records that custom domains need: what to type, what to remove first, when it is seen.',
    )
    .argument('[domains...]', 'domains to plan for; else those of petstore.config.json');
  addDnsFlags(command).action((words: string[], flags: Record<string, unknown>) => {
    const configuration = takeConfigurationFormat(domain.parent);
    return bind(showRecords, {
      words,
      dns: readDnsFlags(flags),
      ...(configuration === undefined ? {} : { configuration }),
    });
  });
  describeFields(command, COLUMNS, PLAN_FIELDS);
  addExamples(
    command,
    [
      'petstore domain records shop.example.com --target cname.example.net',
      'petstore domain records shop.example.com --target cname.example.net -o zone',
      'petstore domain records --target cname.example.net -o terraform example.com',
    ],
    'Besides the usual formats -o takes zone (lines of a zone file) and terraform.\n' +
      '--timeout limits the whole run (60s, and 1s more for each domain).',
  );
}

/** Takes `-o zone` and `-o terraform` from the parser, before the global flags are read: no other command has these. */
function takeConfigurationFormat(program: Command | null): ConfigurationFormat | undefined {
  const { output, json, fields, query } = program?.opts<Record<string, unknown>>() ?? {};
  if (output !== 'zone' && output !== 'terraform') return undefined;
  const other = [
    json !== undefined && '--json',
    fields !== undefined && '--fields',
    query !== undefined && '--query',
  ];
  const contradiction = other.find((flag) => flag !== false);
  if (contradiction !== undefined) {
    throw new UsageError(`${contradiction} and -o ${output} contradict each other`, 'give one of the two');
  }
  program?.setOptionValue('output', undefined);
  return output;
}

async function showRecords(options: RecordsOptions, session: Session): Promise<undefined> {
  const { words, dns: ask, configuration } = options;
  checkDnsFlags(ask, session);
  const { domains, target } = readSubject(words, ask, session);
  if (configuration === undefined) await checkOutput(domains.length, session);
  const dns = await openDns(ask, session);
  try {
    const requests = domains.map(({ input }) => ({ domain: input, target, kind: ask.kind }));
    const timeoutMs = runTimeoutMs(domains.length, session);
    const plans: RecordPlan[] = [];
    let ranOut = false;
    for await (const planned of planRecords(requests, { ...dns.options, timeoutMs })) {
      plans.push(planOf(planned));
      ranOut ||= planned.ok && planned.ranOutAfterMs !== undefined;
    }
    await print(plans, configuration, session);
    warnOfUnseen(plans, ranOut, session);
  } finally {
    await dns.close().catch(() => undefined);
  }
}

/** Names have been read before, so a plan is what comes. */
function planOf(planned: PlannedDomain): RecordPlan {
  if (planned.ok) return planned.plan;
  throw new UsageError(planned.report.findings[0]?.message ?? 'not a domain name');
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

async function print(
  plans: readonly RecordPlan[],
  configuration: ConfigurationFormat | undefined,
  session: Session,
): Promise<void> {
  const { context, format, global } = session;
  if (configuration !== undefined) {
    const write = configuration === 'zone' ? zoneFile : terraform;
    context.stdout.write(write(byZone(plans)));
    noteRemovals(plans, session);
    return;
  }
  if (format === 'table' && reshapingFlag(global) === undefined) {
    context.stdout.write(await planText(plans, pageStyle(session)));
    return;
  }
  await session.print(viewOf(plans, session));
  if (!isDocumentFormat(format)) noteRemovals(plans, session);
}

function viewOf(plans: readonly RecordPlan[], { format }: Session): View {
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

/** Formats that hold the wanted records alone leave out what stands in their way. */
function noteRemovals(plans: readonly RecordPlan[], session: Session): void {
  for (const { domain, remove } of plans) {
    if (remove.length === 0) continue;
    const records = remove.map(({ type, value }) => `${type} ${value}`).join(', ');
    session.warn(`${domain.ascii} has records that have to go first: ${records}`);
  }
}

/** What is there now could not be looked at: then a plan holds what is wanted, and nothing of what is in the way. */
function warnOfUnseen(plans: readonly RecordPlan[], ranOut: boolean, session: Session): void {
  const unseen = plans.filter(({ visibleInSeconds }) => visibleInSeconds === undefined);
  if (unseen.length === 0) return;
  const names = unseen.map(({ domain }) => domain.ascii).join(', ');
  const isGuess = unseen.some(({ decidedBy }) => decidedBy === 'public-suffix');
  const guess = isGuess ? ', and the zone, with the names to type, is a guess by the public suffix list' : '';
  const [why, help] = ranOut
    ? [
        'the time allowed ran out before a name server told',
        `give it more with ${moreTime(plans.length, session)}`,
      ]
    : ['no name server told', 'petstore domain verify tells why'];
  session.warn(`${why} what ${names} has now: records that have to go first are not shown${guess}; ${help}`);
}

/** Zones in the order in which they first come. */
function byZone(plans: readonly RecordPlan[]): ZoneRecords[] {
  return [...new Set(plans.map(({ zone }) => zone))].map((zone) => ({
    zone,
    records: plans.flatMap((plan) => (plan.zone === zone ? plan.expected : [])),
  }));
}
