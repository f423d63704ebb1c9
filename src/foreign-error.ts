/** Maximum number of causes and inner errors, because a getter may create ever more. */
export const CAUSES_MAX = 20;

/** Properties that an error of other code may have, with any value. */
export interface ForeignFields {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Reads an error of other code, whose getters may throw or return another value at each read. Never throws. */
export function foreignFields(error: unknown): ForeignFields {
  try {
    const { name, message, code, syscall, cause, errors } = Object(error) as ForeignFields;
    return { name, message, code, syscall, cause, errors };
  } catch {
    return {};
  }
}

/** Returns the flag of Deno that grants what an error misses, such as `--allow-sys`; `undefined` for other errors. */
export function missingDenoFlag(error: unknown): string | undefined {
  const { name, message } = foreignFields(error);
  if (name !== 'NotCapable') return undefined;
  return /(--allow-[a-z]+) flag/.exec(String(message))?.[1];
}

/** Returns the message of an error of other code, or the thrown value as text. Never throws. */
export function foreignMessage(error: unknown): string {
  const { message } = foreignFields(error);
  if (typeof message === 'string') return message;
  try {
    return String(error);
  } catch {
    return 'unknown error';
  }
}

/**
 * Returns an error and its causes, outermost first, including the inner errors of an `AggregateError`. Each occurs once,
 * because causes can be circular. At most 20.
 */
export function causesOf(error: unknown): unknown[] {
  const found = new Set([error]);
  for (const each of found) {
    const { cause, errors } = foreignFields(each);
    for (const next of [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])])
      if (next !== undefined && found.size < CAUSES_MAX) found.add(next);
  }
  return [...found];
}
