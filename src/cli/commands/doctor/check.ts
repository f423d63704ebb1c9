/** What a check came to: `info` is neither good nor bad, and `failed` alone decides the exit code. */
export type CheckState = 'ok' | 'info' | 'warn' | 'failed' | 'skipped';

/** One thing that was looked at. */
export interface Check {
  id: string;
  state: CheckState;
  /** One line. */
  finding: string;
  /** A command, or what else to do, where something is wrong. */
  remedy?: string;
  /** The same for programs: numbers, names and times, by names of their own in each check. */
  details?: Readonly<Record<string, unknown>>;
}
