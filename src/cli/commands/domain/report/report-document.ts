import {
  type AdvicePart,
  type Finding,
  type Fix,
  type RecordFields,
  type Severity,
  type TodoLine,
  todoLines,
} from '../../../../domain/index.js';
import { describeDuration } from '../../../../time/duration.js';
import type { RenderedReport, ReportResult } from './next-commands.js';
import { shownName } from '../input/names.js';
import { redirectLines } from './redirect-rows.js';
import {
  certificateText,
  recordText,
  resolverDoubt,
  stateSentence,
  type StateWords,
  stateWords,
  stepText,
  waitingHelps,
} from './state-words.js';

/** What a report says, in words. A page and Markdown show it without words of their own. */
export interface ReportDocument {
  name: string;
  state: StateWords;
  /** Whether the state may change without an action of the owner. */
  waitingHelps: boolean;
  /** Where to change what, in order. */
  steps: readonly TodoLine[];
  /** How to set a new record in the panel of the DNS provider. */
  panel?: { title: string; steps: readonly string[]; besideRecord: readonly string[] };
  /** The CDN that hides the record, unless a section names it. */
  cdn?: string;
  /** The verdict. */
  sentence: string;
  visible?: { by: string; howLong: string };
  /** What the owner of a correct domain wants to know. */
  summary: readonly { title: string; text: string }[];
  sections: readonly Section[];
  /** What to do in few lines, one of several domains. */
  brief: { texts: readonly string[]; bullet: 'number' | '- ' | '' };
  /** The command that checks again. */
  again?: RenderedReport['next'][number];
}

/** The findings of one severity. */
export interface Section {
  severity: Severity;
  title: string;
  items: readonly SectionItem[];
}

/** A finding, with its advice. */
export interface SectionItem {
  id: Finding['id'];
  message: string;
  advice: readonly AdvicePart[];
  /** The advice without what the steps say. */
  left: readonly AdvicePart[];
  /** Whether it is shown without -v. */
  isBrief: boolean;
}

/** Writes a report as a document. */
export function reportDocument({ report, exitCode }: ReportResult): ReportDocument {
  const { estimate, findings } = report;
  const steps = todoLines(report);
  const panel = panelOf(report);
  const cdn = cdnSentence(report);
  const again = againOf(report);
  return {
    name: shownName(report.domain),
    state: stateWords(report.state, exitCode),
    waitingHelps: waitingHelps(report),
    steps,
    ...(panel && { panel }),
    ...(cdn !== undefined && { cdn }),
    sentence: stateSentence(report),
    ...(estimate !== null && {
      visible: {
        by: `Visible by ${estimate.latest} at the latest`,
        howLong: ` (in ${describeDuration(estimate.inSeconds * 1_000)}), probably earlier`,
      },
    }),
    summary: summaryOf(report),
    sections: SECTIONS.flatMap(({ severity, title }) => {
      const items = findings
        .filter((finding) => finding.severity === severity)
        .map((finding) => itemOf(finding, report, steps));
      return items.length === 0 ? [] : [{ severity, title, items }];
    }),
    brief: briefOf(report),
    ...(again && { again }),
  };
}

const SECTIONS: readonly { severity: Severity; title: string }[] = [
  { severity: 'block', title: 'Reasons' },
  { severity: 'wait', title: 'What to wait for' },
  { severity: 'unknown', title: 'What could not be checked' },
  { severity: 'warn', title: 'Warnings' },
  { severity: 'info', title: 'What is correct' },
];

/** A finding with its advice. */
export function itemOf(
  finding: Finding,
  report: Pick<RenderedReport, 'state'> | undefined,
  steps: readonly TodoLine[],
): SectionItem {
  const { id, message, fix } = finding;
  const advice = fix?.parts ?? [];
  return {
    id,
    message,
    advice,
    left: fix === undefined ? [] : partsLeft(fix, steps),
    isBrief: isBrief(finding, report),
  };
}

/** What the steps do not say of an advice: of a change that they have, what to check first, and hints. */
function partsLeft(fix: Fix, steps: readonly TodoLine[]): readonly AdvicePart[] {
  if (steps.some(({ text }) => text === fix.text)) return [];
  return isChangeShown(fix, steps) ? fix.parts.filter(({ kind }) => kind !== 'change') : fix.parts;
}

function isChangeShown({ action, remove, add }: Fix, steps: readonly TodoLine[]): boolean {
  return steps.some(({ records }) =>
    action === 'remove'
      ? records.some((one) => isIn(one, remove))
      : // The change at another provider is in no fix, because it is the same record.
        records.some((one) => one.ttl !== undefined && (action === 'other' || isIn(one, add))),
  );
}

function isIn({ name, type, value }: RecordFields, records: readonly RecordFields[]): boolean {
  return records.some((one) => one.name === name && one.type === type && one.value === value);
}

/** Not if the summary has it, and nothing that is correct or needs no decision. */
function isBrief(
  { id, severity, axis }: Finding,
  report: Pick<RenderedReport, 'state'> | undefined,
): boolean {
  if (severity === 'info' || id in FLAGS) return false;
  return !(severity === 'wait' && axis === 'certificate' && report?.state === 'verified');
}

/** What only flags say. It says nothing about DNS. */
const FLAGS: Partial<Record<Finding['id'], string>> = {
  'plan.unknown': 'the plan (--plan)',
  'deploy.unknown': 'the deploy (--deployed)',
};

function againOf({ next }: RenderedReport): RenderedReport['next'][number] | undefined {
  return next.find(({ step }) => step === 'verify');
}

function summaryOf(report: RenderedReport): ReportDocument['summary'] {
  const { findings, platform, redirects = [] } = report;
  const unknown = findings.flatMap(({ id }) => FLAGS[id] ?? []);
  return [
    { title: 'Record', text: recordText(report) },
    { title: 'Certificate', text: certificateText(report) },
    ...(platform?.proof === undefined
      ? []
      : [{ title: 'Served by', text: `the platform (same ${platform.proof.by} as the target).` }]),
    ...redirectLines(redirects, findings).map((text) => ({ title: 'Redirect', text })),
    ...(unknown.length === 0 ? [] : [{ title: 'Not checked', text: `${unknown.join(' and ')}.` }]),
    {
      title: 'Check again',
      text:
        againOf(report) === undefined
          ? 'after the next change of DNS.'
          : 'in a few minutes, or wait for the certificate:',
    },
  ];
}

/** The steps of one of several domains. Without a step: the reason of its state. */
function briefOf(report: RenderedReport): ReportDocument['brief'] {
  const { state, findings } = report;
  if (state === 'verified' || state === 'active') {
    const doubt = resolverDoubt(report);
    return { texts: doubt === undefined ? [] : [doubt], bullet: '' };
  }
  const blocks = findings.filter(({ severity }) => severity === 'block');
  const others = findings.filter(
    ({ id, severity }) => (severity === 'wait' || severity === 'unknown') && !(id in FLAGS),
  );
  return blocks.length > 0
    ? { texts: blocks.map((finding) => `${stepText(finding)} [${finding.id}]`), bullet: 'number' }
    : { texts: others.map(({ id, message }) => `${message} [${id}]`), bullet: '- ' };
}

/** The panel's steps for a new record do not fit an existing one. */
function panelOf({ provider, todo }: RenderedReport): ReportDocument['panel'] {
  const isNew = todo.some(
    ({ action, record: { type }, replaces = [] }) =>
      type !== 'CAA' && (action === 'add' || replaces.some((one) => one.type !== type)),
  );
  const { dns } = provider ?? {};
  if (!isNew || dns === undefined || dns.steps.length === 0) return undefined;
  const { name, date, steps, besideRecord } = dns;
  return { title: `In the panel of ${name} (as of ${date})`, steps, besideRecord };
}

/** A finding describes a parking service, and these the CDN. */
const NAMES_CDN: ReadonlySet<Finding['id']> = new Set<Finding['id']>([
  'conflict.address',
  'apex.wrong-address',
]);

function cdnSentence({ provider, findings }: RenderedReport): string | undefined {
  const problems = findings.filter(({ axis, severity }) => axis === 'record' && severity === 'block');
  const isNamed = problems.some(({ id }) => NAMES_CDN.has(id));
  if (provider?.cdn === undefined || problems.length === 0 || isNamed) return undefined;
  return `The domain leads to ${provider.cdn.name}, a CDN or proxy.`;
}
