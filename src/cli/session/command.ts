import type { OutputFields } from '../command-line/command-tree.js';
import type { Arguments, Flags, GivenFlag, ValuesOf } from '../command-line/flag.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import { UsageError } from '../errors/usage-error.js';
import { reshapingFlag } from '../output/index.js';
import type { Session } from './session.js';

/** A command as one value. The parser, help, completion, man pages and the command tree are made from it. */
export interface Command<A extends Arguments = Arguments, F extends Flags = Flags> {
  /** Its last word. */
  readonly word: string;
  /** Other names of it. */
  readonly aliases?: readonly string[];
  /** For the list of its group. A command of one word has it in the command table. No final period. */
  readonly summary?: string;
  readonly description: string;
  readonly arguments?: A;
  readonly flags?: F;
  /** Replaces what follows the words in the usage line. */
  readonly usage?: string;
  /** Absent if the command prints no data, or if the fields depend on the response. */
  readonly fields?: OutputFields;
  /** All formats of `--output`, if this command's differ. */
  readonly formats?: readonly string[];
  /** The global flags that the command rejects. */
  readonly rejects?: Rejections;
  /** Whole lines to type. */
  readonly examples: readonly string[];
  /** Text before the examples, as `wrapText` reads it. */
  readonly notes?: string;
  /**
   * Checks flags against each other.
   *
   * @throws UsageError
   */
  check?(options: OptionsOf<A, F>, given: readonly GivenFlag[]): void;
  /** Returns the exit code; `undefined` means 0. */
  run(options: OptionsOf<A, F>, session: Session): Promise<number | undefined>;
}

/** The global flags that have no meaning for a command. */
export interface Rejections {
  /** The flags that show a request: the command sends none, and changes stored data. */
  readonly request?: readonly ('dryRun' | 'curl')[];
  /** The flags that shape data: the command prints text. A configured format does not matter. */
  readonly output?: boolean;
  /** What to do instead of shaping data. */
  readonly outputHint?: string;
}

/** For commands that send no request and change stored data. */
export const REJECTS_REQUEST: Rejections = { request: ['dryRun', 'curl'] };

/** @throws UsageError naming a global flag that the command rejects. */
export function rejectGlobalFlags(
  words: readonly string[],
  { request = [], output = false, outputHint }: Rejections = {},
  global: GlobalOptions,
): void {
  const name = `"${['petstore', ...words].join(' ')}"`;
  const given = request.find((flag) => global[flag]);
  if (given !== undefined)
    throw new UsageError(
      `${name} has no request to show`,
      `Leave out ${given === 'dryRun' ? '--dry-run' : '--curl'}.`,
    );
  if (!output) return;
  const { format } = global;
  const formatFlag = format === 'json' ? '--json' : format && `--output ${format}`;
  const flag = formatFlag ?? reshapingFlag(global);
  if (flag !== undefined)
    throw new UsageError(`${name} prints text, not data`, outputHint ?? `Leave out ${flag}.`);
}

/** A group of commands. */
export interface CommandGroup {
  readonly word: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly notes?: string;
  readonly commands: readonly Command[];
}

/** The typed options of a command: its arguments and flags. */
export type OptionsOf<A extends Arguments, F extends Flags> = ValuesOf<A> & ValuesOf<F>;

/** Defines a command. The types of its options follow from its arguments and flags. */
export function defineCommand<A extends Arguments, F extends Flags>(command: Command<A, F>): Command {
  return command;
}

/** A field name or a column. */
type Named = string | { field: string };

/** The output fields of a command. */
export function outputFields(
  rows: readonly Named[],
  document: readonly Named[] = rows,
  lines: readonly Named[] = document,
): OutputFields {
  return {
    rows: rows.map(nameOf),
    document: document.map(nameOf),
    ...(lines === document ? {} : { lines: lines.map(nameOf) }),
  };
}

function nameOf(named: Named): string {
  return typeof named === 'string' ? named : named.field;
}
