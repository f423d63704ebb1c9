import type { Dispatcher } from 'undici';
import { BodyCollector, decodeBody } from './body.js';
import type { ConnectionPools } from './connection-pools.js';
import {
  type Exchange,
  isProgrammingError,
  joinHeaders,
  optionFailure,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
  WithdrawnRequest,
} from './transport.js';

/**
 * The part of an undici dispatcher that the client uses. Every dispatcher of undici 7 and 8 has it. Those of undici 6 and
 * of Node 20 itself expect another handler and fail.
 */
export interface DispatcherLike {
  /** Sends a request, and calls the handler with the parts of its response. */
  dispatch(options: object, handler: object): boolean;
}

/** Thrown to undici, so that it sends nothing and keeps the connection for later. */
const POSTPONED = new Error('Postponed until the gate confirms the request');

/**
 * One request through undici's handler interface. It needs no stream and no AbortSignal, so it takes a fifth less time
 * than `undici.request`. A class, because closures and accessors would take longer to create.
 */
export class DispatchedExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly response: Promise<TransportResponse>;
  readonly #request: TransportRequest;
  /** `undefined` for a dispatcher of the caller. */
  readonly #pools: ConnectionPools | undefined;
  readonly #collector: BodyCollector;
  #resolve!: (response: TransportResponse) => void;
  #reject!: (failure: unknown) => void;
  /** The check of the request that is still to be made. */
  #confirm: TransportRequest['confirm'];
  #controller: Dispatcher.DispatchController | undefined;
  #head: { status: number; headers: Record<string, string> } | undefined;
  #aborted = false;
  #isDispatching = false;
  #isWaiting = false;

  constructor(request: TransportRequest, pools?: ConnectionPools) {
    this.#request = request;
    this.#pools = pools;
    // A dispatcher of the caller may have rules of its own for a request that fails and is sent again.
    if (pools !== undefined) this.#confirm = request.confirm;
    this.#collector = new BodyCollector(request.bodyMaxBytes);
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get sent(): boolean {
    return this.#controller !== undefined;
  }

  /** Sends the request when a connection is ready. */
  start(dispatcher: DispatcherLike): void {
    const { origin, path, method, headers, body = null } = this.#request;
    this.#isWaiting = true;
    this.#pools?.pending.add();
    this.#isDispatching = true;
    try {
      dispatcher.dispatch({ origin, path, method, headers, body }, this);
    } catch (error) {
      this.#fail(error);
    }
    this.#isDispatching = false;
  }

  abort(): void {
    this.#aborted = true;
    this.#stopWaiting();
    this.#controller?.abort(new Error('Cancelled'));
  }

  closeConnection(): void {
    this.#pools?.drop(this.#request);
  }

  /** @throws Error if the request waited for its connection and has to be confirmed. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#stopWaiting();
    if (this.#confirm !== undefined && !this.#isDispatching) throw POSTPONED;
    this.#controller = controller;
    if (this.#aborted) controller.abort(new Error('Cancelled'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Skips informational responses (1xx), which precede the final one (RFC 9110, section 15.2).
    if (status >= 200) this.#head = { status, headers: joinHeaders(headers) };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#collector.add(chunk)) return;
    this.#finish('too-large');
    controller.abort(new Error('The body is larger than allowed'));
  }

  onResponseEnd(): void {
    this.#finish('complete');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error === POSTPONED) void this.#sendConfirmed();
    else if (this.#head === undefined) this.#fail(error);
    else this.#finish('truncated');
  }

  /** Sends the request over the connection that is now open, if it is still confirmed. */
  async #sendConfirmed(): Promise<void> {
    const confirm = this.#confirm;
    this.#confirm = undefined;
    try {
      if ((await confirm?.()) === false) this.#reject(new WithdrawnRequest());
      else if (this.#pools !== undefined && !this.#aborted) this.start(this.#pools.get(this.#request));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stopWaiting();
    this.#reject(
      isProgrammingError(error) ? optionFailure('dispatcher', error) : new TransportFailure(error),
    );
  }

  #stopWaiting(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#pools?.pending.remove();
  }

  #finish(end: TransportResponse['end']): void {
    if (this.#head === undefined) return;
    const { status, headers } = this.#head;
    const body = this.#collector.body();
    const encoding = headers['content-encoding'];
    if (encoding === undefined) {
      this.#resolve({ status, headers, body, end });
      return;
    }
    decodeBody({ body, end }, encoding, this.#request.bodyMaxBytes).then((decoded) => {
      this.#resolve({ status, headers, ...decoded });
    }, this.#reject);
  }
}
