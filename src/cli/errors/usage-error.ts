import { CommandFailure, type FilePlace, type HintLines } from './command-failure.js';
import { EXIT } from './exit-codes.js';

/** The command line, a file or the configuration is invalid. Nothing was sent. Exit code 2. */
export class UsageError extends CommandFailure {
  override readonly name = 'UsageError';

  /**
   * @param hint what to do, such as the command or flag that helps.
   * @param places where the error is, for annotations.
   */
  constructor(message: string, hint?: HintLines, cause?: unknown, places: readonly FilePlace[] = []) {
    super(message, { type: 'usage', exitCode: EXIT.usage, hint, cause, places });
  }
}

/** A UsageError with line breaks, to point into the input. In other messages, line breaks are escaped. */
export class MultilineError extends UsageError {}
