import type { Session } from '../../session/action.js';
import { isBareTextFormat, type OutputFormat, render, toTerminalLine } from '../../output/index.js';

/**
 * Prints a text, or several, in the format in force: bare lines for people and in tsv. A configuration that is wrong, or
 * lacks the profile, is no hindrance: then only the flag counts.
 */
export async function printValue(value: string | readonly string[], session: Session): Promise<void> {
  const { context, global } = session;
  const format = formatInForce(session);
  // Without keys there is nothing to paint, and nothing that would have to fit.
  const style = { ...global, format, colorLevel: 0, width: 80, isTTY: false } as const;
  const lines = typeof value === 'string' ? [value] : value;
  context.stdout.write(
    isBareTextFormat(format) && global.query === undefined
      ? lines.map((line) => `${toTerminalLine(line)}\n`).join('')
      : await render({ kind: 'value', value }, style),
  );
}

function formatInForce(session: Session): OutputFormat {
  try {
    return session.format;
  } catch {
    return session.global.format ?? 'tsv';
  }
}
