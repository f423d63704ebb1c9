import { causesOf, ConfigurationError } from '../../errors.js';

/** Codes of Node and undici for invalid arguments, modules that can't be loaded and a dispatcher that is closed. */
const PROGRAMMING_CODE =
  /^(?:UND_ERR_(?:INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|CLOSED|DESTROYED)$|ERR_(?:INVALID_|MISSING_|MODULE_NOT_FOUND|REQUIRE_|PACKAGE_|UNKNOWN_BUILTIN|UNESCAPED_)|MODULE_NOT_FOUND$)/;

const PROGRAMMING_NAMES = new Set(['ReferenceError', 'SyntaxError', 'RangeError', 'EvalError', 'URIError']);

/**
 * Beginnings of the messages of a `fetch` for a failed connection, in browsers and runtimes. They are `TypeError`s, like
 * many bugs, whose messages may contain any of these words.
 */
const NETWORK_MESSAGE =
  /^(?:fetch failed|failed to fetch|load failed|networkerror\b|network (?:error|request failed|connection (?:was )?lost)|the (?:network connection was lost|internet connection appears)|error sending request|error reading a body from connection|terminated)/i;

/**
 * Checks whether an error comes from a bug or an invalid set-up and not from the network, so that no retry can succeed.
 * An error with any other code, or with a cause, counts as a failure of the network.
 */
export function isProgrammingError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true;
  const causes = causesOf(error);
  const codes = causes.map((cause) => (cause as { code?: unknown } | null | undefined)?.code);
  const code = codes.find((each) => typeof each === 'string');
  if (typeof code === 'string') return PROGRAMMING_CODE.test(code);
  const { name, message } = error as { name?: unknown; message?: unknown };
  if (typeof name !== 'string' || typeof message !== 'string') return true;
  if (PROGRAMMING_NAMES.has(name)) return true;
  return name === 'TypeError' && causes.length === 1 && !NETWORK_MESSAGE.test(message);
}

/** Creates the error for an option of the caller that fails because of a bug. */
export function optionFailure(option: 'fetch' | 'dispatcher', cause: unknown): ConfigurationError {
  const reason = cause instanceof Error ? cause.message : 'it threw a value that is not an Error';
  return new ConfigurationError(`The option ${option} failed (${reason})`, {
    option,
    cause,
    hint: `Fix the ${option} that is passed to createPetStore().`,
  });
}
