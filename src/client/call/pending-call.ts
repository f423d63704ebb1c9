import type { Call, WithResponse } from '../contract/options.js';

/**
 * A promise of the data, with a method that also returns the response. A rejection is unhandled only if neither the
 * promise nor `withResponse()` is awaited.
 */
export class PendingCall<T> extends Promise<T> implements Call<T> {
  readonly #dataAndResponse: Promise<WithResponse<T>>;

  constructor(dataAndResponse: Promise<WithResponse<T>>) {
    // This promise itself never settles: `then` delegates to `#dataAndResponse`.
    super(() => undefined);
    this.#dataAndResponse = dataAndResponse;
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    const fulfilled = onFulfilled ?? ((data: T) => data as unknown as R);
    return this.#dataAndResponse.then(({ data }) => fulfilled(data), onRejected);
  }

  override catch<E = never>(onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#dataAndResponse.finally(onFinally).then(({ data }) => data);
  }

  withResponse(): Promise<WithResponse<T>> {
    return this.#dataAndResponse;
  }
}
