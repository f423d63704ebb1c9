import type { GlobalOptions } from '../../src/cli/command-line/global-options.js';
import { parse } from '../../src/cli/program/program.js';

/** Parses a command line into its typed options, without running it. */
export async function parseLine(
  line: string | readonly string[],
): Promise<{ global: GlobalOptions; options: unknown; action: string; help: string | undefined }> {
  const argv = typeof line === 'string' ? shellWords(line) : line;
  let seen: { global: GlobalOptions; options: unknown; action: string } | undefined;
  const help = await parse(argv, 80, (global) => (action, options) => {
    seen = { global, options, action: action.name };
    return Promise.resolve();
  });
  if (seen === undefined) throw new Error(`no command ran for: ${argv.join(' ')}\n${help ?? ''}`);
  return { ...seen, help };
}

/** Splits a line at blanks, with single quotes, as a shell does. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
