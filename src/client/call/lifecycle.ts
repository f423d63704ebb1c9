import { ConfigurationError } from '../../errors.js';

/** Counts the calls of a client in progress, and rejects new ones after `close()`. */
export class Lifecycle {
  #count = 0;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** Returns the error of a new call. `undefined` while the client is open. */
  get error(): ConfigurationError | undefined {
    if (this.#closing === undefined) return undefined;
    return new ConfigurationError('The client is closed', {
      hint: 'Create another client with createPetStore(), or close this one later.',
    });
  }

  /** Number of calls in progress. */
  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onIdle?.();
  }

  /** Waits for the calls in progress, then runs `release`. Every later call returns the same promise. */
  close(release: () => Promise<void>): Promise<void> {
    return (this.#closing ??= this.#whenIdle().then(release));
  }

  #whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
