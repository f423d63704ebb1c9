import { describeFailure, type NamedProxy } from '../../errors/describe-failure.js';
import { TimeLimitError } from '../../system/time-limit.js';

/** The result of one check. */
export interface CheckResult {
  id: string;
  /** Only `failed` changes the exit code. */
  state: 'ok' | 'warn' | 'failed' | 'skipped';
  /** One line. */
  finding: string;
  /** A command, or a sentence that says what to do. */
  remedy?: string | undefined;
}

export type Result = Omit<CheckResult, 'id'>;

/** One check. It returns its result or throws: `Skipped`, or any other error for a failed check. */
export interface Step {
  id: string;
  /** For an error without a hint. */
  remedy?: string;
  run: () => Result | Promise<Result>;
}

/** The message says why something was not checked. */
export class Skipped extends Error {}

export async function runStep({ id, remedy, run }: Step): Promise<CheckResult> {
  try {
    return { id, ...(await run()) };
  } catch (error) {
    if (error instanceof Skipped) return { id, state: 'skipped', finding: error.message };
    const { problem, hint = remedy } = describeProblem(error);
    return { id, state: 'failed', finding: problem, remedy: hint };
  }
}

/** Why a value is not available, and what helps. */
export interface DescribedProblem {
  problem: string;
  hint?: string | undefined;
}

/** @param proxy the proxy of the request that failed. */
export function describeProblem(error: unknown, proxy?: NamedProxy): DescribedProblem {
  if (error instanceof TimeLimitError)
    return { problem: error.message, hint: 'Allow more time with --timeout.' };
  const { message: problem, hint, hintInDoctor = hint } = describeFailure(error, 0, proxy);
  return { problem, hint: hintInDoctor };
}

/** Creates a value that several checks use. The first of them reads it. */
export function createFact<T>(id: string, readValue: () => T | Promise<T>) {
  let value: Promise<T> | undefined;
  /** For the check that reports the error. */
  const read = (): Promise<T> => (value ??= (async () => readValue())());
  /**
   * For a check that depends on the value.
   *
   * @param reason why that check is skipped. Default: names the check that failed.
   * @throws Skipped if there is no value.
   */
  const need = async (reason?: string): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (reason === undefined && error instanceof Skipped) throw error;
      throw new Skipped(reason ?? `depends on ${id}, which failed`);
    }
  };
  return { read, need };
}
