import type { RecordPlan } from '../../../../domain/index.js';
import { describeDuration } from '../../../text/duration.js';
import { createPage, type Page, type PageStyle } from '../../../output/table/page.js';
import { shownMoment } from './moment.js';
import { shownName } from './names.js';
import { RECORD_COLUMNS } from './report-text.js';

/** Plans for people: the records to type, then what to remove first and from when it is seen. */
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
    'public-suffix': ' (a guess: no name server of it could be asked)',
    override: '',
  };
  page.text(`${shownName(domain)}, in the zone ${zone}${by[decidedBy]}`, {
    lead: shownName(domain),
    style: 'bold',
  });
  page.table(expected, RECORD_COLUMNS, '  ');
  if (steps.length === 0) {
    page.text('It is there already: nothing is to be done.', { first: '  ' });
    return;
  }
  // The only step of a new name is the record above.
  if (steps.length > 1) {
    page.text('In this order:', { first: '  ' });
    steps.forEach(({ text, notBefore }, index) => {
      const when = notBefore === undefined ? '' : ` Not before ${shownMoment(new Date(notBefore), now)}.`;
      page.text(text + when, { first: `  ${String(index + 1)}. `, rest: '     ' });
    });
  }
  page.text(visibilityText(plan), { first: '  ' });
}

function visibilityText({ visibleInSeconds, remove }: RecordPlan): string {
  if (visibleInSeconds === undefined)
    return 'When it will be seen is not known: no name server could be asked.';
  if (visibleInSeconds === 0) return 'It is seen at once.';
  const left = describeDuration(visibleInSeconds * 1_000);
  return remove.length === 0
    ? `It is seen at once by whoever has not asked for it before, and by all ${left} later at the latest.`
    : `It is seen by all ${left} after the last step, at the latest.`;
}
