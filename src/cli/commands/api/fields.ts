import { readInput } from '../../files/input-file.js';
import { quoted } from '../../command-line/flag-values.js';
import { toInt64 } from '../../../schema/int64.js';
import type { Context } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';

/** One `-F key=value` or `-f key=value`, in the order of the line. */
export interface Field {
  key: string;
  /** As written. */
  value: string;
  /** `-F`: true, false, null, whole numbers and `@file` are what they look like. `-f`: always a string. */
  typed: boolean;
}

/** Takes `key=value` apart. */
export function readField(flag: '-F' | '-f', text: string): Field {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new UsageError(`${flag} ${quoted(text)} is not of the form key=value`, `such as ${flag} name=Rex`);
  }
  const key = text.slice(0, at);
  if (key.includes('[')) {
    throw new UsageError(
      `${flag} ${quoted(text)}: nested fields are not supported`,
      'give the whole body with --input',
    );
  }
  return { key, value: text.slice(at + 1), typed: flag === '-F' };
}

/** The fields as an object. A key given twice keeps its last value. */
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

/** What a field may hold. A whole number beyond 2^53 keeps its digits as a bigint. */
export type FieldValue = string | number | bigint | boolean | null;

async function typedValue(text: string, context: Context): Promise<FieldValue> {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (text.startsWith('@')) return (await readInput(text.slice(1), context)).text;
  const whole = toInt64(text);
  if (whole === undefined || text === '-0') return text;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}
