/** What a CommandFailure takes. */
export interface CommandFailureOptions {
  /** Stable name, for JSON errors. */
  type: string;
  exitCode: number;
  /** HTTP status, where an answer is the reason. */
  status?: number;
  hint?: string;
  retryable?: boolean;
  /** When it may succeed, where that is known. */
  retryAt?: Date;
  cause?: unknown;
}

/** A failure that the command line itself found: neither bad usage nor an error of the client. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly type: string;
  readonly exitCode: number;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAt: Date | undefined;

  constructor(message: string, options: CommandFailureOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = options.type;
    this.exitCode = options.exitCode;
    this.status = options.status;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.retryAt = options.retryAt;
  }
}
