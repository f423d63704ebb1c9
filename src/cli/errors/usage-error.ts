/** A place in a file that caused an error. */
export interface FilePlace {
  file: string;
  /** From 1. */
  line?: number | undefined;
  /** From 1. */
  column?: number | undefined;
  /** What is wrong there. @default the message of the error */
  message?: string | undefined;
}

/** The command line, a file or the configuration is invalid. Nothing was sent. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** What to do, such as the command or flag that helps. */
  readonly hint: string | undefined;
  /** Where the error is, for annotations. */
  readonly places: readonly FilePlace[];

  constructor(message: string, hint?: string, cause?: unknown, places: readonly FilePlace[] = []) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.places = places;
  }
}

/** A UsageError with line breaks, to point into the input. In other messages, line breaks are escaped. */
export class MultilineError extends UsageError {}
