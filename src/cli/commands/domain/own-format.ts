import type { Command } from 'commander';
import { UsageError } from '../../errors/usage-error.js';

/**
 * Returns the value of `-o` if it is a format that only this command has, and replaces it in the parsed flags, because
 * the global flags do not allow it.
 *
 * @throws UsageError if a flag that selects fields is given too.
 */
export function takeOwnFormat<Format extends string>(
  program: Command | null,
  formats: readonly Format[],
): Format | undefined {
  const { output, json, fields, query } = program?.opts<Record<string, unknown>>() ?? {};
  const format = formats.find((candidate) => candidate === output);
  if (format === undefined) return undefined;
  const other = [
    json !== undefined && '--json',
    fields !== undefined && '--fields',
    query !== undefined && '--query',
  ];
  const contradiction = other.find((flag) => flag !== false);
  if (contradiction !== undefined) {
    throw new UsageError(`${contradiction} can't be combined with -o ${format}`, 'Use one of the two.');
  }
  // Not a format of PETSTORE_OUTPUT either.
  program?.setOptionValue('output', 'table');
  return format;
}
