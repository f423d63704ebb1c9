import type { FilePlace } from '../../errors/command-failure.js';
import { type Context, variable } from '../../system/context.js';
import { choice } from '../../command-line/flag-values.js';

/** Whether `PETSTORE_ANNOTATIONS` requests annotations for a CI service. */
export function wantsAnnotations(context: Pick<Context, 'env'>): boolean {
  return variable(context, 'PETSTORE_ANNOTATIONS') === 'github';
}

/** @throws UsageError for an unknown CI service. */
export function checkAnnotations(context: Pick<Context, 'env'>): void {
  const service = variable(context, 'PETSTORE_ANNOTATIONS');
  if (service !== undefined) choice('PETSTORE_ANNOTATIONS', ['github'], service);
}

/** Formats a workflow command of GitHub Actions, which is a line of its own. */
export function annotation(
  level: 'error' | 'warning',
  title: string,
  message: string,
  { file, line, column }: Partial<FilePlace> = {},
): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(',')}::${escapeMessage(message)}\n`;
}

/** Escapes workflow-command data as @actions/core does, so that text can't end or start a command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
