/** The hint for a write that may have been carried out. */
export const UNCONFIRMED_HINT =
  'Do not send it again before you know whether it was carried out: it may then be done twice.';

export interface CommandFailureOptions {
  /** Stable name for JSON errors. */
  type: string;
  exitCode: number;
  /** HTTP status of the response that is the cause. */
  status?: number | undefined;
  /** The error code of the service, or the system's code for a connection failure. */
  code?: string | undefined;
  requestId?: string | undefined;
  hint?: string;
  retryable?: boolean;
  /** The earliest time to try again, if known. */
  retryAt?: Date;
  /** More fields of the JSON error. */
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** A failure of a command that is neither a usage error nor an error of the client. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly type: string;
  readonly exitCode: number;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAt: Date | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, options: CommandFailureOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = options.type;
    this.exitCode = options.exitCode;
    this.status = options.status;
    this.code = options.code;
    this.requestId = options.requestId;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.retryAt = options.retryAt;
    this.details = options.details;
  }
}
