// Replaces the global clock by a virtual one, for programs that read the time from global names.

/**
 * Replaces timers, `Date`, `performance.now` and `Math.random` until the function that it returns is called.
 *
 * @param {{ now(): number, monotonic(): number, setTimeout(callback: () => void, delayMs: number): () => void }} clock
 * @param {() => number} random for the jitter of programs, so that every run has the same figures.
 */
export function replaceGlobalClock(clock, random) {
  const kept = { setTimeout, clearTimeout, setInterval, clearInterval, Date };
  const { random: keptRandom } = Math;
  Math.random = random;
  const cancels = new Map();
  let last = 0;

  const handleOf = (id) => ({
    ref: () => handleOf(id),
    unref: () => handleOf(id),
    hasRef: () => true,
    refresh: () => handleOf(id),
    [Symbol.toPrimitive]: () => id,
  });
  const start = (callback, delayMs, again) => {
    const id = (last += 1);
    const wait = () => {
      const cancel = clock.setTimeout(
        () => {
          if (again) wait();
          else cancels.delete(id);
          callback();
        },
        Math.max(1, Number(delayMs) || 0),
      );
      cancels.set(id, cancel);
    };
    wait();
    return handleOf(id);
  };
  const stop = (handle) => {
    if (handle === undefined || handle === null) return;
    cancels.get(Number(handle))?.();
    cancels.delete(Number(handle));
  };

  Object.assign(globalThis, {
    setTimeout: (callback, delayMs, ...args) => start(() => callback(...args), delayMs, false),
    setInterval: (callback, delayMs, ...args) => start(() => callback(...args), delayMs, true),
    clearTimeout: stop,
    clearInterval: stop,
    Date: class extends kept.Date {
      constructor(...args) {
        super(...(args.length === 0 ? [clock.now()] : args));
      }
      static now() {
        return clock.now();
      }
    },
  });
  Object.defineProperty(performance, 'now', { value: () => clock.monotonic(), configurable: true });
  return () => {
    Object.assign(globalThis, kept);
    Math.random = keptRandom;
    delete performance.now;
  };
}
