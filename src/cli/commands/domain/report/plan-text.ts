import type { RecordPlan } from '../../../../domain/index.js';
import { describeDuration } from '../../../text/duration.js';
import { createPage, type Page, type PageStyle } from '../../../output/table/page.js';
import { localTime } from './local-time.js';
import { shownName } from './names.js';
import { RECORD_COLUMNS } from './report-text.js';

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
  if (steps.length === 0) {
    page.text('The record exists already. No action is needed.', { first: '  ' });
    return;
  }
  // A single step is to add the record above.
  if (steps.length > 1) {
    page.text('Now:', { first: '  ' });
    page.table(plan.current, RECORD_COLUMNS, '    ');
    page.text('Steps:', { first: '  ' });
    steps.forEach(({ text, notBefore }, index) => {
      const when = notBefore === undefined ? '' : ` Not before ${localTime(notBefore, now)}.`;
      page.text(text + when, { first: `  ${String(index + 1)}. `, rest: '     ' });
    });
  }
  if (steps.length === 1 || plan.visibleInSeconds === undefined) {
    page.text(visibilityText(plan), { first: '  ' });
    return;
  }
  page.text('Downtime:', { first: '  ' });
  for (const text of switchTexts(plan)) page.text(text, { first: '  - ', rest: '    ' });
}

/** What visitors experience while records are replaced. */
function switchTexts({ current, visibleInSeconds = 0, downtimeMaxSeconds = 0 }: RecordPlan): string[] {
  const hasAddress = current.some(({ type }) => type === 'A' || type === 'AAAA' || type === 'CNAME');
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

function visibilityText({ visibleInSeconds }: RecordPlan): string {
  if (visibleInSeconds === undefined)
    return 'No name server responded, so it is unknown when the record will be visible.';
  if (visibleInSeconds === 0) return 'Visible at once.';
  const left = describeDuration(visibleInSeconds * 1_000);
  return `Visible at once, or after at most ${left} for resolvers that queried the name before.`;
}
