import { type RecordFields, type RecordPlan, type Severity, todoLines } from '../../../../domain/index.js';
import { describeDuration } from '../../../../time/duration.js';
import type { Page } from '../../../output/table/page.js';
import { shownName } from '../input/names.js';
import { itemOf } from './report-document.js';
import { RECORD_COLUMNS, showItem, showTodoLines, truncated } from './report-page.js';

/** Shows plans for people: the changes, what the name has now, the reasons, and when the records are visible. */
export function showPlans(plans: readonly RecordPlan[], page: Page): void {
  for (const plan of plans) {
    page.gap();
    showPlan(plan, page);
  }
}

function showPlan(plan: RecordPlan, page: Page): void {
  const { domain, zone, decidedBy, findings, current, remove, todo } = plan;
  const lines = todoLines(plan);
  showTodoLines(lines, page);
  const first = lowerTtlText(plan);
  if (first !== undefined) page.text(first, { first: '  ' });
  if (lines.length > 0) page.gap();
  const by = decidedBy === 'public-suffix' ? ' (a guess from the public suffix list)' : '';
  page.text(`${shownName(domain)}, in the zone ${zone}${by}`, { lead: shownName(domain), style: 'bold' });
  // A record that may be impossible at the provider is in the reasons only.
  const isAbove = todo.some(({ action }) => action !== 'remove');
  if (!isAbove && (!isKnown(plan) || current.length > 0))
    page.table(recordsToShow(plan), RECORD_COLUMNS, '  ');
  const right = rightText(plan);
  if (right !== undefined)
    page.text(`${right}${findings.length > 0 ? '' : ' No action is needed.'}`, { first: '  ' });
  for (const finding of findings) showItem(itemOf(finding, undefined, lines), '- ', page);
  if (remove.length > 0) {
    page.text('Now:', { first: '  ' });
    page.table(current.map(truncated), RECORD_COLUMNS, '    ');
  }
  if (todo.some(({ record }) => record.type !== 'CAA') || !isKnown(plan))
    page.text(visibilityText(plan), { first: '  ' });
}

function isKnown({ visibleInSeconds }: RecordPlan): boolean {
  return visibleInSeconds !== undefined;
}

/** What to do some time before the change. */
export function lowerTtlText({ lowerTtl, current }: RecordPlan): string | undefined {
  if (lowerTtl === undefined) return undefined;
  const { records } = lowerTtl;
  const isLowered = ({ type, value }: RecordFields): boolean =>
    records.some((record) => record.type === type && record.value === value);
  const ttl = Math.max(...current.filter(isLowered).map((record) => record.ttl ?? 0));
  const texts = records.map((record) => `${record.type} ${record.value} to ${String(record.ttl)}`);
  return `First lower the TTL of ${texts.join(' and of ')}, or to the lowest choice. Make the change ${describeDuration(ttl * 1_000)} after that or later: resolvers cache the old record for that long.`;
}

/** The records that the domain needs. A right record of another form takes the place of the usual one. */
function recordsToShow(plan: RecordPlan): readonly RecordFields[] {
  const { current, expected } = plan;
  if (otherRightRecords(plan).length === 0) return expected;
  return [...current, ...expected.filter(({ type }) => type === 'CAA')];
}

/** Records that lead to the target in another way than the usual CNAME, such as a chain or a DNAME. */
export function otherRightRecords(plan: RecordPlan): readonly RecordFields[] {
  const { expected, current } = plan;
  const [usual] = expected;
  if (usual?.type !== 'CNAME' || !isRight(plan)) return [];
  const isUsual = current.some(({ type, value }) => type === 'CNAME' && value.toLowerCase() === usual.value);
  return isUsual ? [] : current;
}

/** Whether the name has its record, and nothing is advised about it. */
function isRight({ domain, current, remove, todo, findings }: RecordPlan): boolean {
  const isChanged = todo.some(({ record: { type, name } }) => type !== 'CAA' && name === domain.ascii);
  const isDoubted = findings.some(({ axis, severity }) => axis === 'record' && SEVERITIES.has(severity));
  return current.length > 0 && remove.length === 0 && !isChanged && !isDoubted;
}

const SEVERITIES: ReadonlySet<Severity> = new Set<Severity>(['block', 'warn']);

/** States that the record is right; `undefined` if it is not. */
export function rightText(plan: RecordPlan): string | undefined {
  const { current, expected, todo } = plan;
  if (!isRight(plan)) return undefined;
  const others = otherRightRecords(plan);
  // The change is one of another record.
  const type = todo.length > 0 ? `${current[0]?.type ?? ''} ` : '';
  if (others.length === 0) return `The ${type}record exists already.`;
  const values = others.map(truncated).map(({ type, value }) => `${type} ${value}`);
  const verb = values.length === 1 ? 'leads' : 'lead';
  return `${values.join(' and ')} ${verb} to ${expected[0]?.value ?? 'the target'} already.`;
}

function visibilityText({ remove, todo, keepsOldServer, visibleInSeconds }: RecordPlan): string {
  if (visibleInSeconds === undefined)
    return 'The current records are unknown, and so is the time when the record will be visible.';
  if (visibleInSeconds === 0) return 'Visible at once.';
  const left = describeDuration(visibleInSeconds * 1_000);
  if (keepsOldServer && todo.some(({ action, record }) => action === 'edit' && record.type !== 'CAA'))
    return `Keep the old server running: visitors may get it for ${left} after the change.`;
  return remove.length > 0
    ? `Visible everywhere at most ${left} after the change.`
    : `Visible at once, or after at most ${left} for resolvers that queried the name before.`;
}
