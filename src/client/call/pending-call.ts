import type { Call, ResponseInfo, WithResponse } from '../contract/options.js';

/** The result of a successful call. */
export class CallResult<T> implements WithResponse<T> {
  readonly data: T;
  readonly #readResponse: () => ResponseInfo;

  /** @param readResponse called when a caller asks for the response, because redacting its headers takes a tenth of a call. */
  constructor(data: T, readResponse: () => ResponseInfo) {
    this.data = data;
    this.#readResponse = readResponse;
  }

  get response(): ResponseInfo {
    return this.#readResponse();
  }
}

/** The end of a call. One of the functions is called, before its promise settles. */
export interface CallEnd {
  succeed(): void;
  /** Returns the error for the caller. */
  fail(error: unknown): unknown;
}

/**
 * Returns a promise of the data, with a method that also returns the response. A rejection is unhandled only if neither
 * the promise nor `withResponse()` is awaited. Not a subclass of `Promise`, which would take longer to await.
 */
export function pendingCall<T>(work: Promise<WithResponse<T>>, end: CallEnd): Call<T> {
  const data = work.then(
    (result) => {
      end.succeed();
      return result.data;
    },
    (error: unknown) => {
      throw end.fail(error);
    },
  );
  const withResponse = async (): Promise<WithResponse<T>> => {
    await data;
    // A plain object, because the response of a result is a getter.
    const result = await work;
    return { data: result.data, response: result.response };
  };
  return Object.assign(data, { withResponse });
}
