/** The command line, a file or the configuration is invalid. Nothing was sent. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** What to do, such as the command or flag that helps. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** A UsageError with line breaks, to point into the input. In other messages, line breaks are escaped. */
export class MultilineError extends UsageError {}
