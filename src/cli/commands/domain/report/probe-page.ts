import { type Finding, todoLines } from '../../../../domain/index.js';
import type { Page } from '../../../output/table/page.js';
import { itemOf } from './report-document.js';
import { showItem, showTodoLines } from './report-page.js';

/** Shows the findings of a probe and, before its verdict, what to do: the place and the change. */
export function showProbe(findings: readonly Finding[], page: Page, showVerdict: () => void): void {
  const steps = todoLines({ findings, todo: [], expected: [] });
  showTodoLines(steps, page);
  showVerdict();
  for (const finding of findings) showItem(itemOf(finding, undefined, steps), '- ', page);
}
