import type { Call, WithResponse } from '../contract/options.js';

/**
 * A promise of the data, with a method that also returns the response. A rejection is unhandled only if neither the
 * promise nor `withResponse()` is awaited.
 */
export class PendingCall<T> extends Promise<T> implements Call<T> {
  readonly #work: Promise<WithResponse<T>>;

  /** @param onSettled called before the promise settles, with the error if it rejects. */
  constructor(work: Promise<WithResponse<T>>, onSettled?: (error?: unknown) => void) {
    super((resolve, reject) => {
      work.then(
        ({ data }) => {
          onSettled?.();
          resolve(data);
        },
        (error: unknown) => {
          onSettled?.(error);
          reject(error);
        },
      );
    });
    this.#work = work;
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<WithResponse<T>> {
    // From now on, the caller handles a rejection of the returned promise instead.
    this.catch(() => undefined);
    return this.#work.then((dataAndResponse) => dataAndResponse);
  }
}
