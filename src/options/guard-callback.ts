import { foreignMessage } from '../foreign-error.js';

/** Calls a function of the caller. Its error, or that of its promise, never reaches this package. */
export type Guard = (option: string, callback: () => unknown) => void;

/**
 * Creates a guard.
 *
 * @param report called with the first error of each option.
 */
export function createGuard(report: (option: string, error: unknown) => void): Guard {
  const failed = new Set<string>();
  const fail = (option: string, error: unknown): void => {
    if (failed.has(option)) return;
    failed.add(option);
    report(option, error);
  };
  return (option, callback) => {
    try {
      const result = callback();
      // Such as of an async function. A promise of another realm is not an instance of Promise.
      if (isThenable(result)) {
        Promise.resolve(result).catch((error: unknown) => {
          fail(option, error);
        });
      }
    } catch (error) {
      fail(option, error);
    }
  };
}

/**
 * Creates a guard whose reports are warnings of the process.
 *
 * @param effect what the error does not end, as a sentence.
 */
export function createWarningGuard(effect: string): Guard {
  return createGuard((option, error) => {
    emitWarning({ code: 'callback-failed', message: failureMessage(option, foreignMessage(error), effect) });
  });
}

/** Describes the failure of an option for a warning. */
export function failureMessage(option: string, reason: string, effect: string): string {
  return `The option ${option} failed (${reason}). ${effect} Its later errors are not reported.`;
}

/** Emits a warning of the process, or writes to the console in a runtime without them. */
export function emitWarning({ code, message }: { code: string; message: string }): void {
  try {
    // In the edge runtime of Next it throws.
    process.emitWarning(message, { type: 'PetStoreWarning', code });
  } catch {
    // eslint-disable-next-line no-console -- the only output that all runtimes have
    console.warn(`PetStoreWarning: ${message}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
