import { type Context, variable } from '../system/context.js';
import { choice } from '../command-line/flag-values.js';

/** Whether `PETSTORE_ANNOTATIONS` asks for lines that a CI service shows beside the run. */
export function wantsAnnotations(context: Pick<Context, 'env'>): boolean {
  return variable(context, 'PETSTORE_ANNOTATIONS') === 'github';
}

/** @throws UsageError for a service that is not known. */
export function checkAnnotations(context: Pick<Context, 'env'>): void {
  const service = variable(context, 'PETSTORE_ANNOTATIONS');
  if (service !== undefined) choice('PETSTORE_ANNOTATIONS', ['github'], service);
}

/** A workflow command of GitHub Actions, a line of its own. */
export function annotation(level: 'error' | 'warning', title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeMessage(message)}\n`;
}

/** As the runner's own toolkit does it: nothing of a text may end the command, or begin another. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
