/** What a check came to. */
export type CheckState = 'ok' | 'warn' | 'failed' | 'skipped';

/** One thing that was looked at. */
export interface Check {
  id: string;
  state: CheckState;
  /** One line. */
  finding: string;
  /** A command, or what else to do, where something is wrong. */
  remedy?: string;
}
