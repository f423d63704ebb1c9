import type { Session } from './session.js';
import {
  isBareTextFormat,
  type OutputFormat,
  render,
  reshapingFlag,
  toTerminalLine,
} from '../output/index.js';

/**
 * Prints one or several texts in the output format: plain lines in table and tsv. Also works with an invalid
 * configuration. Then only -o decides the format.
 */
export async function printValue(value: string | readonly string[], session: Session): Promise<void> {
  const { context, global } = session;
  const format = outputFormat(session);
  // A plain value needs no colour and no layout.
  const style = { ...global, format, colorLevel: 0, width: 80, isTTY: false } as const;
  const lines = typeof value === 'string' ? [value] : value;
  context.stdout.write(
    isBareTextFormat(format) && reshapingFlag(global) === undefined
      ? lines.map((line) => `${toTerminalLine(line)}\n`).join('')
      : await render({ kind: 'value', value }, style),
  );
}

function outputFormat(session: Session): OutputFormat {
  try {
    return session.format;
  } catch {
    return session.global.format ?? 'tsv';
  }
}
