/** The hint for a write that may have been carried out. */
export const UNCONFIRMED_HINT =
  'Do not send it again before you know whether it was carried out: it may then be done twice.';

/** What to do. A list has one line for each command, because a command ends its line. */
export type HintLines = string | readonly string[];

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

/** What a failure reports, in addition to its message. */
export interface FailureFacts {
  /** Stable name for JSON errors. */
  type: string;
  exitCode: number;
  /** HTTP status of the response that is the cause. */
  status?: number | undefined;
  /** The error code of the service, or the system's code for a connection failure. */
  code?: string | undefined;
  requestId?: string | undefined;
  /** What to do, such as the command or flag that helps. */
  hint?: string | undefined;
  /** The hint within `petstore doctor`, if `hint` advises to run it. */
  hintInDoctor?: string | undefined;
  /** The other lines of the hint. */
  moreHints?: readonly string[];
  /** Whether the same command may be run again later. @default false */
  retryable?: boolean;
  /** The earliest time to try again, if known. */
  retryAt?: Date | undefined;
  /** More fields of the JSON error. */
  details?: Readonly<Record<string, unknown>> | undefined;
  /** Where files are wrong, for annotations. */
  places?: readonly FilePlace[];
}

/** A failure of a command that is no error of the client. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
  readonly facts: FailureFacts;

  constructor(
    message: string,
    {
      cause,
      hint = [],
      ...facts
    }: Omit<FailureFacts, 'hint'> & { hint?: HintLines | undefined; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    const [first, ...moreHints] = typeof hint === 'string' ? [hint] : hint;
    this.facts = { ...facts, hint: first, moreHints };
  }

  get hint(): string | undefined {
    return this.facts.hint;
  }
}
