import { type ParsedLine, parseLine as parse } from '../../src/cli/program/parse-line.js';

/** Parses a command line into its typed options, without running it. */
export async function parseLine(line: string | readonly string[]): Promise<ParsedLine> {
  const argv = typeof line === 'string' ? shellWords(line) : line;
  const parsed = await parse(argv, 80);
  if (typeof parsed === 'string') throw new Error(`no command for: ${argv.join(' ')}\n${parsed}`);
  return parsed;
}

/** Splits a line at blanks, with single quotes, as a shell does. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
