import { commandEntry, COMMANDS } from './command-table.js';
import { GLOBAL_FLAGS } from './global-flags.js';

/** A command line as it will be parsed. */
export interface CommandLine {
  /** The arguments, with every `--json` settled: `--json=` for all fields, `--json=a,b` for some. */
  argv: readonly string[];
  /** The command's words, such as `['pets', 'list']`. The last may be a word that is no command. */
  path: readonly string[];
}

const FIELD_LIST = /^[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*$/;

/** The global flags whose value is the next argument. */
const VALUE_FLAGS = new Set(
  GLOBAL_FLAGS.flatMap(({ flags }) => (flags.includes('<') ? (flags.match(/--?[\w-]+/g) ?? []) : [])),
);

/**
 * Finds the command's words and settles the one flag with an optional value: what follows `--json` is taken as fields
 * only where it can't be a command, an id or another argument.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const settled: string[] = [];
  const path: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return { argv: [...settled, ...argv.slice(index)], path };
    if (word === '--json') {
      const fields = fieldsAfter(argv, index, path);
      settled.push(`--json=${fields ?? ''}`);
      if (fields !== undefined) index += 1;
      continue;
    }
    settled.push(word);
    if (VALUE_FLAGS.has(word)) {
      index += 1;
      if (index < argv.length) settled.push(argv[index] ?? '');
    } else if (!word.startsWith('-') && !isComplete(path)) {
      path.push(word);
    }
  }
  return { argv: settled, path };
}

/**
 * Whether the line asks for JSON, for an error that comes before it could be parsed.
 *
 * @param outputFromEnvironment `PETSTORE_OUTPUT`, which a flag on the line overrides.
 */
export function asksForJson(argv: readonly string[], outputFromEnvironment: string | undefined): boolean {
  let format = outputFromEnvironment;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '--json' || word.startsWith('--json=')) format = 'json';
    else if (word === '-o' || word === '--output') format = argv[index + 1];
    else if (word.startsWith('--output=')) format = word.slice('--output='.length);
    else if (/^-o[a-z]+$/.test(word)) format = word.slice(2);
  }
  return format === 'json' || format === 'ndjson';
}

/** What `--color` says on the line, for an error that comes before it could be parsed. As written, and unchecked. */
export function colorAskedFor(argv: readonly string[]): string | undefined {
  let color: string | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '--color') color = argv[index + 1];
    else if (word.startsWith('--color=')) color = word.slice('--color='.length);
  }
  return color;
}

function fieldsAfter(argv: readonly string[], index: number, path: readonly string[]): string | undefined {
  const next = argv[index + 1];
  if (next === undefined || !FIELD_LIST.test(next)) return undefined;
  if (next.includes(',')) return next;
  const known = wordsAfter(path);
  if (known === undefined) return commandEntry(path[0] ?? '')?.takesWords === true ? undefined : next;
  // Before the command is complete a single word is more likely the command, unless the command still follows.
  return !known.includes(next) && known.includes(argv[index + 2] ?? '') ? next : undefined;
}

function isComplete(path: readonly string[]): boolean {
  return wordsAfter(path) === undefined;
}

/** The command words that may follow, or `undefined` where the command is complete. */
function wordsAfter(path: readonly string[]): readonly string[] | undefined {
  const [group] = path;
  if (group === undefined) return Object.keys(COMMANDS);
  const verbs = commandEntry(group)?.verbs;
  return verbs !== undefined && path.length === 1 ? Object.keys(verbs) : undefined;
}
