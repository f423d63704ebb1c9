import { HEADER_NAME, RESERVED_HEADERS } from '../../../client/internal.js';
import { readInput } from '../../system/files/input-file.js';
import { quoted } from '../../command-line/flag-values.js';
import { toInt64 } from '../../../schema/int64.js';
import type { Context } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';

/** One `-F key=value` or `-f key=value`. */
export type Field = ReturnType<typeof readField>;

/** Parses `key=value`. */
export function readField(flag: '-F' | '-f', text: string) {
  const index = text.indexOf('=');
  if (index < 1) {
    throw new UsageError(`${flag} ${quoted(text)} is not key=value`, `For example: ${flag} name=Rex`);
  }
  const key = text.slice(0, index);
  if (key.includes('[')) {
    throw new UsageError(
      `${flag} ${quoted(text)}: nested fields are not supported`,
      'Use --input for the whole body.',
    );
  }
  const value = text.slice(index + 1);
  /** Converts true, false, null, whole numbers and `@file`. Otherwise the value stays a string. */
  const typed = flag === '-F';
  if (typed && value === '@')
    throw new UsageError(`${flag} ${quoted(text)} names no file`, 'Write @FILE, or @- for stdin.');
  return { key, value, typed };
}

/**
 * Checks that no field is given twice, and that at most one value comes from stdin.
 *
 * @param input the file of `--input`; `-` is stdin.
 * @param given the names of fields in the path.
 * @throws UsageError
 */
export function checkBodyFields(
  fields: readonly Field[],
  input: string | undefined,
  given: Iterable<string>,
): void {
  const keys = new Set(given);
  let stdinReader = input === '-' ? '--input -' : undefined;
  for (const { key, value, typed } of fields) {
    if (keys.has(key)) throw new UsageError(`Field ${quoted(key)} is given twice`, 'Pass each field once.');
    keys.add(key);
    if (!typed || value !== '@-') continue;
    if (stdinReader !== undefined) {
      throw new UsageError(
        `${quoted(stdinReader)} and ${quoted(`-F ${key}=@-`)} both read stdin`,
        'Read one of them from a file, such as -F name=@FILE.',
      );
    }
    stdinReader = `-F ${key}=@-`;
  }
}

/** Returns the fields as an object. */
export async function fieldsToObject(
  fields: readonly Field[],
  context: Context,
): Promise<Record<string, FieldValue>> {
  const entries: [string, FieldValue][] = [];
  for (const { key, value, typed } of fields) {
    entries.push([key, typed ? await typedValue(value, context) : value]);
  }
  return Object.fromEntries(entries);
}

/** The value of a field. Integers beyond 2^53 are bigints. */
export type FieldValue = string | number | bigint | boolean | null;

async function typedValue(text: string, context: Context): Promise<FieldValue> {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (text.startsWith('@')) return (await readInput(text.slice(1), context, '@-')).text;
  const whole = toInt64(text);
  if (whole === undefined || text === '-0') return text;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/**
 * Parses `-H 'name: value'`. The messages never show the value, which may be a secret.
 *
 * @returns the name in lower case, and the value.
 * @throws UsageError
 */
export function readHeaderFlag(text: string): [name: string, value: string] {
  const index = text.indexOf(':');
  const name = text.slice(0, Math.max(0, index)).trim().toLowerCase();
  // An assignment to an object would lose the name __proto__.
  if (index < 1 || !HEADER_NAME.test(name) || name === '__proto__')
    throw new UsageError('-H needs a name and a value', "For example: -H 'x-request-id: 42'");
  if (name === 'authorization') {
    throw new UsageError(
      "-H can't replace Authorization",
      'The key comes from PETSTORE_API_KEY or from the profile. Select another profile with --profile.',
    );
  }
  if (RESERVED_HEADERS.has(name))
    throw new UsageError(`-H can't set ${name}: HTTP or petstore controls it`, 'Leave it out.');
  const value = text.slice(index + 1).trim();
  // HTTP clients disagree about the bytes of other characters: curl sends UTF-8, Node.js Latin-1.
  if (/^[\t\x20-\x7e]*$/.test(value)) return [name, value];
  throw new UsageError(
    `-H: the value of ${name} contains a control character or a character outside ASCII`,
    'Encode the value, for example as percent-encoded UTF-8.',
  );
}
