import type { Call, WithResponse } from '../contract/options.js';

/**
 * A promise of the data that can also be asked for the answer. The work is under way already; a rejection is reported
 * as unhandled only if neither side is awaited.
 */
export class PendingCall<T> extends Promise<T> implements Call<T> {
  readonly #whole: Promise<WithResponse<T>>;

  constructor(whole: Promise<WithResponse<T>>) {
    // This promise's own state is never looked at: `then` is answered by the whole one.
    super(() => undefined);
    this.#whole = whole;
  }

  /** What `then`, `catch` and `finally` return is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    const fulfilled = onFulfilled ?? ((data: T) => data as unknown as R);
    return this.#whole.then(({ data }) => fulfilled(data), onRejected);
  }

  override catch<E = never>(onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#whole.finally(onFinally).then(({ data }) => data);
  }

  withResponse(): Promise<WithResponse<T>> {
    return this.#whole;
  }
}
