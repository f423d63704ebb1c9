/** The command line, a file or the configuration is wrong. Nothing was sent. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command or flag that helps. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/**
 * One that points into what was typed, or is in a file, on lines of their own. Elsewhere a line break in a message is somebody else's, and
 * shown instead of obeyed.
 */
export class MultilineError extends UsageError {}
