import type { Finding, RecordPlan } from '../../../../domain/index.js';
import { describeDuration } from '../../../text/duration.js';
import { createPage, type Page, type PageStyle } from '../../../output/table/page.js';
import { localTime } from './local-time.js';
import { shownName } from './names.js';
import { RECORD_COLUMNS, truncated } from './report-text.js';

/** Formats plans for people: records to add, steps, and when they are visible. */
export async function planText(plans: readonly RecordPlan[], style: PageStyle): Promise<string> {
  const page = await createPage(style, plans);
  for (const plan of plans) {
    page.gap();
    showPlan(plan, page, style.now);
  }
  return page.toString();
}

function showPlan(plan: RecordPlan, page: Page, now: number): void {
  const { domain, zone, decidedBy, expected, steps } = plan;
  const by = {
    'zone-cut': '',
    'public-suffix': ' (a guess, because no name server responded)',
    override: '',
  };
  page.text(`${shownName(domain)}, in the zone ${zone}${by[decidedBy]}`, {
    lead: shownName(domain),
    style: 'bold',
  });
  page.table(expected, RECORD_COLUMNS, '  ');
  showReasons(plan, page);
  // A single step is mostly to add the record above.
  if (steps.some(({ action }) => action !== 'add')) showSteps(plan, page, now);
  else if (steps.length > 0) page.text(visibilityText(plan), { first: '  ' });
}

/** Why there are no steps, or steps that are not required, and what no record fixes. */
function showReasons({ steps, findings, current }: RecordPlan, page: Page): void {
  const fixed = findings.filter(needsRecordChange);
  const problems = findings.filter((finding) => !needsRecordChange(finding));
  const isRequired = fixed.some(({ severity }) => severity === 'block');
  if (steps.length === 0 && current.length > 0) {
    const end = problems.length > 0 ? '' : ' No action is needed.';
    page.text(`The record exists already.${end}`, { first: '  ' });
  }
  // Steps that add the record explain themselves.
  if (fixed.length > 0 && !(isRequired && steps.at(-1)?.action === 'add')) {
    const change = isRequired ? 'But a change is needed:' : 'A change is recommended:';
    const isMissing = steps.some(({ action }) => action === 'add');
    page.text(isMissing ? change : `The record exists already. ${change}`, { first: '  ' });
    for (const { message } of fixed) page.text(message, { first: '  - ', rest: '    ' });
  }
  if (problems.length === 0) return;
  page.text('Problems:', { first: '  ' });
  for (const { message, fix, id } of problems) {
    page.text(`${message} [${id}]`, { first: '  - ', rest: '    ' });
    if (fix !== undefined) page.text(fix.text, { first: '    ' });
  }
}

/** Whether records fix a finding. Its fix is in the steps of the plan. */
export function needsRecordChange({ fix, severity }: Finding): boolean {
  return severity !== 'unknown' && fix !== undefined && fix.records.length > 0;
}

function showSteps(plan: RecordPlan, page: Page, now: number): void {
  const { steps, current, visibleInSeconds } = plan;
  page.text('Now:', { first: '  ' });
  page.table(current.map(truncated), RECORD_COLUMNS, '    ');
  page.text('Steps:', { first: '  ' });
  steps.forEach(({ text, notBefore }, index) => {
    const when = notBefore === undefined ? '' : ` Not before ${localTime(notBefore, now)}.`;
    page.text(text + when, { first: `  ${String(index + 1)}. `, rest: '     ' });
  });
  const isSwitch = steps.at(-1)?.action === 'add';
  if (visibleInSeconds === undefined || !isSwitch) {
    if (visibleInSeconds !== 0) page.text(visibilityText(plan), { first: '  ' });
    return;
  }
  page.text('Downtime:', { first: '  ' });
  for (const text of switchTexts(plan)) page.text(text, { first: '  - ', rest: '    ' });
}

/** What visitors experience while records are replaced. */
function switchTexts({
  domain,
  current,
  visibleInSeconds = 0,
  downtimeMaxSeconds = 0,
}: RecordPlan): string[] {
  const hasAddress = current.some(({ type, name }) => ADDRESS_TYPES.has(type) && name === domain.ascii);
  const [left, gap] = [visibleInSeconds, downtimeMaxSeconds].map((seconds) =>
    describeDuration(seconds * 1_000),
  );
  return [
    ...(downtimeMaxSeconds === 0
      ? []
      : [`Make the last two steps at once: resolvers may cache the gap for up to ${gap ?? ''}.`]),
    hasAddress
      ? `Keep the old server running: visitors may get it for ${left ?? ''} after the last step.`
      : `Visible everywhere at most ${left ?? ''} after the last step.`,
    'https fails until the certificate is issued, normally within minutes after verification.',
  ];
}

const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

function visibilityText({ visibleInSeconds, steps }: RecordPlan): string {
  if (visibleInSeconds === undefined)
    return 'No name server responded, so it is unknown when the record will be visible.';
  if (visibleInSeconds === 0) return 'Visible at once.';
  const left = describeDuration(visibleInSeconds * 1_000);
  if (steps.at(-1)?.action !== 'add') return `Visible everywhere at most ${left} after the change.`;
  return `Visible at once, or after at most ${left} for resolvers that queried the name before.`;
}
