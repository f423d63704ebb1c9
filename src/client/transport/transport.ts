/**
 * The seam between the client and the network: plain data in, plain data out. Not Web Request and Response, because
 * those alone cost more than the rest of a one-shot command.
 */
export interface TransportRequest {
  method: string;
  /** Scheme, host and port, such as `https://api.example.com`. */
  origin: string;
  /** Path and query, encoded, beginning with `/`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Cap on the decoded body; the transport stops reading there. */
  bodyMaxBytes: number;
}

/** An answer, with as much of its body as came and was allowed. */
export interface TransportResponse {
  status: number;
  /** Names in lower case; values of a repeated header are joined by `, `. */
  headers: Readonly<Record<string, string>>;
  /** Decoded by the answer's `Content-Encoding`. */
  body: Uint8Array;
  /**
   * `truncated`: the connection or the encoding ended early. `too-large`: `body` is what came up to the cap.
   * `undecodable`: it is not in the encoding that it names.
   */
  end: 'complete' | 'truncated' | 'too-large' | 'undecodable';
}

/** One request under way. */
export interface Exchange {
  /** Rejects with a `TransportFailure`. After `abort` it rejects soon, or the answer is simply not awaited any more. */
  readonly response: Promise<TransportResponse>;
  /** Whether a byte of the request may have left by now. Only `false` makes it safe to send a write again. */
  readonly sent: boolean;
  /** Ends it at once and frees the connection. Does nothing after the end. */
  abort(): void;
}

/** Sends requests. Must never follow a redirect by itself. */
export interface Transport {
  send(request: TransportRequest): Exchange;
  /** Lets idle connections go, so that a program can end. */
  close(): Promise<void>;
}

/** Why there is no answer. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  /** The system's or library's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = codeOf(cause);
  }
}

function codeOf(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') return code;
    const inner = (error as { errors?: unknown }).errors;
    if (Array.isArray(inner)) {
      const nested = inner.map(codeOf).find((found) => found !== undefined);
      if (nested !== undefined) return nested;
    }
  }
  return undefined;
}
