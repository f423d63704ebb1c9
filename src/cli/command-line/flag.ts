import type { ValueKind } from './command-tree.js';
import { choice, durationMs, int64, wholeNumber } from './flag-values.js';

/**
 * Converts the text of a flag or argument.
 *
 * @param name the flag, or the argument in capitals, for messages.
 * @throws UsageError if the text is invalid.
 */
export interface Reader<T> {
  (word: string, name: string): T;
  /** The values that completion offers. */
  values?: ValueKind;
}

/** A flag of a command. */
export interface Flag<T = unknown> {
  /** In the notation of commander, such as `-L, --limit <n>`. */
  readonly flags: string;
  readonly summary: string;
  /** Other long names, which help does not show. */
  readonly aliases?: readonly string[];
  /** Read if the flag is not given. Shown in help. */
  readonly defaultWord?: string;
  readonly isRepeatable?: boolean;
  readonly values?: ValueKind;
  /** Reads the given texts; `undefined` if the flag is not given. A flag without a value has no texts. */
  read(words: readonly string[] | undefined): T;
}

/** A flag as it is on the command line. */
export interface GivenFlag {
  /** The long name, such as `--limit`. */
  name: string;
  /** The text of its value. */
  text?: string;
}

/** An argument of a command. */
export interface Argument<T = unknown> {
  /** In the notation of commander: `<id>`, `[name]` or `[domains...]`. */
  readonly notation: string;
  readonly summary: string;
  readonly values?: ValueKind;
  read(words: readonly string[]): T;
}

export type Flags = Readonly<Record<string, Flag>>;
export type Arguments = Readonly<Record<string, Argument>>;

/** The typed values of flags or arguments. */
export type ValuesOf<Definitions extends Flags | Arguments> = {
  readonly [Name in keyof Definitions]: ReturnType<Definitions[Name]['read']>;
};

/** Defines a flag without a value. `--no-x` is true unless it is given. */
export function toggle(flags: string, summary: string): Flag<boolean> {
  const isNegated = longName(flags).startsWith('--no-');
  return { flags, summary, read: (words) => (words !== undefined) !== isNegated };
}

/** Defines a flag with a value, which can be given once. */
export function option(flags: string, summary: string): Flag<string | undefined>;
export function option<T>(flags: string, summary: string, read: Reader<T>): Flag<T | undefined>;
export function option<T>(flags: string, summary: string, read: Reader<T>, defaultWord: string): Flag<T>;
export function option(
  flags: string,
  summary: string,
  read: Reader<unknown> = anyText,
  defaultWord?: string,
): Flag {
  return {
    flags,
    summary,
    ...valuesOf(flags, read),
    ...(defaultWord === undefined ? {} : { defaultWord }),
    read([word] = defaultWord === undefined ? [] : [defaultWord]) {
      return word === undefined ? undefined : read(word, longName(flags));
    },
  };
}

/** Defines a flag that can be given several times. */
export function repeatable(flags: string, summary: string): Flag<readonly string[]>;
export function repeatable<T>(flags: string, summary: string, read: Reader<T>): Flag<readonly T[]>;
export function repeatable(
  flags: string,
  summary: string,
  read: Reader<unknown> = anyText,
): Flag<readonly unknown[]> {
  return {
    flags,
    summary,
    isRepeatable: true,
    ...valuesOf(flags, read),
    read: (words = []) => words.map((word) => read(word, longName(flags))),
  };
}

/** Defines an argument: `<required>`, `[optional]` or `[several...]`. */
export function argument<const N extends string>(
  notation: N,
  summary: string,
): Argument<ArgumentValue<N, string>>;
export function argument<const N extends string, T>(
  notation: N,
  summary: string,
  read: Reader<T>,
): Argument<ArgumentValue<N, T>>;
export function argument(notation: string, summary: string, read: Reader<unknown> = anyText): Argument {
  const one = (word: string): unknown => read(word, argumentName(notation).toUpperCase());
  return {
    notation,
    summary,
    ...valuesOf(notation, read),
    read: ([first, ...rest]) => {
      if (notation.includes('...')) return first === undefined ? [] : [first, ...rest].map(one);
      return first === undefined ? undefined : one(first);
    },
  };
}

type ArgumentValue<Notation extends string, T> = Notation extends `${string}...${string}`
  ? readonly T[]
  : Notation extends `[${string}`
    ? T | undefined
    : T;

/** Reads one of a fixed set of words. */
export function oneOf<const T extends string>(known: readonly T[]): Reader<T> {
  return Object.assign((word: string, name: string) => choice(name, known, word), { values: known });
}

/**
 * Reads a whole number from `minimum` to `maximum`, both included.
 *
 * @param example for the hint. Default: the limit that is nearer to the text.
 */
export function between(minimum: number, maximum: number, example?: number): Reader<number> {
  return (word, name) => {
    const hint = example === undefined ? undefined : `For example: ${name} ${String(example)}`;
    return wholeNumber(name, minimum, maximum, word, hint);
  };
}

export const anInt64: Reader<bigint> = (word, name) => int64(name, word);

/** Reads a duration to milliseconds. */
export const aDuration: Reader<number> = (word, name) => durationMs(name, word);

export const anyText: Reader<string> = (word) => word;

/** Offers values for completion. */
export function offering<T>(values: ValueKind, read: Reader<T>): Reader<T> {
  return Object.assign((word: string, name: string) => read(word, name), { values });
}

/** The name of an argument, from commander's notation. */
export function argumentName(notation: string): string {
  return notation.replace(/[<>[\].]/g, '');
}

/** The long name of a flag, from commander's notation. */
export function longName(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function valuesOf(notation: string, { values }: Reader<unknown>): { values?: ValueKind } {
  if (values !== undefined) return { values };
  return /[<[]file[>\].]/.test(notation) ? { values: 'file' } : {};
}
