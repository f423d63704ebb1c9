import { explainConfigError } from '../../config/config-files.js';
import { describeFailure } from '../../errors/describe-failure.js';
import { TimeLimitError } from '../../system/time-limit.js';

/** `info` is neutral. Only `failed` changes the exit code. */
export type CheckState = 'ok' | 'info' | 'warn' | 'failed' | 'skipped';

/** The result of one check. */
export interface Check {
  id: string;
  state: CheckState;
  /** One line. */
  finding: string;
  /** A command, or a sentence that says what to do. */
  remedy?: string;
  /** The finding as data; each check has its own fields. */
  details?: Readonly<Record<string, unknown>>;
}

/** Why a value is not available, and what helps. */
export interface Problem {
  problem: string;
  hint?: string;
}

/** Why something was not checked. */
export interface Skipped {
  skipped: string;
}

/** Returns the result of the work, or the problem that it threw. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T | Problem> {
  try {
    return await work();
  } catch (error) {
    return describeProblem(await explainConfigError(error));
  }
}

export function describeProblem(error: unknown): Problem {
  if (error instanceof TimeLimitError)
    return { problem: error.message, hint: 'Allow more time with --timeout.' };
  const { message, hint } = describeFailure(error);
  return { problem: message, ...(hint === undefined ? {} : { hint }) };
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

export function isSkipped(value: unknown): value is Skipped {
  return typeof value === 'object' && value !== null && 'skipped' in value;
}

/** Whether a value is available: no problem, not skipped, and no word such as `none`. */
export function isKnown<T extends object>(
  value: T | Problem | Skipped | string | undefined,
): value is Exclude<T, Problem | Skipped> {
  return typeof value === 'object' && !isProblem(value) && !isSkipped(value);
}

/** @param remedy for a problem without a hint. */
export function failedCheck(id: string, { problem, hint }: Problem, remedy: string): Check {
  return { id, state: 'failed', finding: problem, remedy: hint ?? remedy };
}

export function skippedCheck(id: string, reason: string): Check {
  return { id, state: 'skipped', finding: reason };
}
