/**
 * The data of an option is invalid: `replay` is not a recording, or `snapshot` is not a snapshot.
 *
 * @example
 * ```ts
 * if (error instanceof MockDataError && error.option === 'snapshot') console.error(error.problem);
 * ```
 */
export class MockDataError extends TypeError {
  override readonly name = 'MockDataError';
  /** The option. */
  readonly option: 'replay' | 'snapshot';
  /** The problem, with its place in the data. */
  readonly problem: string;

  constructor(option: 'replay' | 'snapshot', problem: string, cause?: unknown) {
    super(`${option}: ${problem}`, cause === undefined ? undefined : { cause });
    this.option = option;
    this.problem = problem;
  }
}
