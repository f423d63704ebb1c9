import { type Finding, type RecordFields, type RecordPlan, todoLines } from '../../../../domain/index.js';
import { describeDuration } from '../../../../time/duration.js';
import type { Page } from '../../../output/table/page.js';
import { shownName } from '../input/names.js';
import { showFindings } from './findings.js';
import { RECORD_COLUMNS, showTodoLines, truncated } from './report-text.js';

/** Shows plans for people: records to add, steps, and when they are visible. */
export function showPlans(plans: readonly RecordPlan[], page: Page): void {
  for (const plan of plans) {
    page.gap();
    showPlan(plan, page);
  }
}

function showPlan(plan: RecordPlan, page: Page): void {
  const { domain, zone, decidedBy, steps } = plan;
  const by = {
    'zone-cut': '',
    'public-suffix': ' (a guess from the public suffix list)',
    override: '',
  };
  const lines = todoLines(plan);
  showTodoLines(lines, page);
  if (lines.length > 0) page.gap();
  page.text(`${shownName(domain)}, in the zone ${zone}${by[decidedBy]}`, {
    lead: shownName(domain),
    style: 'bold',
  });
  // A record that may be impossible at the provider is in the reasons only.
  const isAbove = plan.todo.some(({ action }) => action !== 'remove');
  if (!isAbove && (steps.length > 0 || plan.current.length > 0))
    page.table(recordsToShow(plan), RECORD_COLUMNS, '  ');
  showReasons(plan, page);
  // A step that only adds the record above needs no words. After reasons, it does.
  if (steps.some(({ action }) => action !== 'add') || (steps.length > 0 && hasRightRecord(plan)))
    showSteps(plan, page);
  else if (steps.length > 0) page.text(visibilityText(plan), { first: '  ' });
}

/** The records that the domain needs. A right record of another form takes the place of the usual one. */
function recordsToShow(plan: RecordPlan): readonly RecordFields[] {
  if (otherRightRecords(plan).length === 0) return plan.expected;
  return [...plan.current, ...plan.expected.filter(({ type }) => type === 'CAA')];
}

/** Whether visitors reach the target already. */
function hasRightRecord({ current, remove, visibleInSeconds }: RecordPlan): boolean {
  return current.length > 0 && remove.length === 0 && visibleInSeconds === 0;
}

/** Records that lead to the target in another way than the usual CNAME, such as a chain or a DNAME. */
export function otherRightRecords(plan: RecordPlan): readonly RecordFields[] {
  const { expected, current, steps } = plan;
  const [usual] = expected;
  if (
    usual?.type !== 'CNAME' ||
    !hasRightRecord(plan) ||
    steps.some(({ records }) => records.includes(usual))
  )
    return [];
  const isUsual = current.some(({ type, value }) => type === 'CNAME' && sameName(value, usual.value));
  return isUsual ? [] : current;
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** States that the record is right. */
export function rightText(plan: RecordPlan): string {
  const others = otherRightRecords(plan);
  if (others.length === 0) return 'The record exists already.';
  const values = others.map(truncated).map(({ type, value }) => `${type} ${value}`);
  const verb = values.length === 1 ? 'leads' : 'lead';
  return `${values.join(' and ')} ${verb} to ${plan.expected[0]?.value ?? 'the target'} already.`;
}

/** Why there are no steps, or steps that are not required, and what no record fixes. */
function showReasons(plan: RecordPlan, page: Page): void {
  const { steps, findings, current, visibleInSeconds } = plan;
  const fixed = findings.filter(needsRecordChange);
  const problems = findings.filter((finding) => !needsRecordChange(finding));
  const isRequired = fixed.some(({ severity }) => severity === 'block');
  if (steps.length === 0 && current.length > 0) {
    const end = problems.length > 0 ? '' : ' No action is needed.';
    page.text(`${rightText(plan)}${end}`, { first: '  ' });
  }
  // Steps that add the missing record explain themselves.
  const isMissing = steps.some((step) => addsRecord(step) && step.records.some(isNotCaa));
  const isClear = isRequired && isMissing && visibleInSeconds !== undefined;
  const unclear = isClear ? fixed.filter(({ axis }) => axis === 'caa') : fixed;
  if (unclear.length > 0) {
    const need = isRequired ? 'change is needed:' : 'change is recommended:';
    const change = isRequired && !isMissing ? `But a ${need}` : `A ${need}`;
    page.text(isMissing ? change : `${rightText(plan)} ${change}`, { first: '  ' });
    for (const { message } of unclear) page.text(message, { first: '  - ', rest: '    ' });
  }
  if (problems.length === 0) return;
  page.text('Problems:', { first: '  ' });
  showFindings(problems, page);
}

function isNotCaa({ type }: RecordFields): boolean {
  return type !== 'CAA';
}

/** Whether records fix a finding. Its fix is in the steps of the plan. */
export function needsRecordChange({ fix, severity }: Finding): boolean {
  return severity !== 'unknown' && fix !== undefined && fix.records.length > 0;
}

function showSteps(plan: RecordPlan, page: Page): void {
  const { steps, current, visibleInSeconds } = plan;
  if (steps.some(({ action }) => action !== 'add')) {
    page.text('Now:', { first: '  ' });
    page.table(current.map(truncated), RECORD_COLUMNS, '    ');
  }
  page.text('Steps:', { first: '  ' });
  steps.forEach(({ text, notBefore }, index) => {
    const when = notBefore === undefined ? '' : ` Not before ${notBefore.toISOString()}.`;
    page.text(text + when, { first: `  ${String(index + 1)}. `, rest: '     ' });
  });
  if (visibleInSeconds !== 0) page.text(visibilityText(plan), { first: '  ' });
}

function addsRecord(step: RecordPlan['steps'][number] | undefined): boolean {
  return step?.action === 'add' || step?.action === 'replace';
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

function visibilityText({ domain, current, visibleInSeconds, steps }: RecordPlan): string {
  if (visibleInSeconds === undefined)
    return 'The current records are unknown, and so is the time when the record will be visible.';
  if (visibleInSeconds === 0) return 'Visible at once.';
  const left = describeDuration(visibleInSeconds * 1_000);
  if (!addsRecord(steps.at(-1))) return `Visible everywhere at most ${left} after the change.`;
  if (steps.some(({ action }) => action !== 'add')) {
    const hasAddress = current.some(({ type, name }) => ADDRESS_TYPES.has(type) && name === domain.ascii);
    return hasAddress
      ? `Keep the old server running: visitors may get it for ${left} after the last step.`
      : `Visible everywhere at most ${left} after the last step.`;
  }
  return `Visible at once, or after at most ${left} for resolvers that queried the name before.`;
}
