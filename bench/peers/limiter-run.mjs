// Calls at once against the stand-in of a limiter, in virtual time.

/** A limit of the Free plan, and calls for three of its windows. */
const QUOTA = { limit: 60, windowMs: 60_000 };
const CALLS = 150;
/** Not the start of a minute: most limiters count from the first request. */
const START_AT = Date.UTC(2026, 0, 5, 12, 0, 7, 634);
const LATENCY_MS = 20;
/** A call that takes longer has failed. */
const END_MS = 900_000;

/**
 * Makes all calls at once and waits for them.
 *
 * @param simulation the modules of test/support.
 * @param kind a limiter of the zoo.
 * @param openOn receives the clock. Returns how to open a client, and what to call at the end.
 * @returns numbers of successful calls and of rejected requests, and the time in seconds with the ideal one.
 */
export async function runOnLimiter({ createVirtualClock, createLimiter, idealMs }, kind, openOn) {
  const clock = createVirtualClock(START_AT);
  const limiter = createLimiter(kind, QUOTA);
  const wait = (ms) => new Promise((resolve) => clock.setTimeout(resolve, ms));
  let rejected = 0;
  const fetch = async () => {
    await wait(LATENCY_MS);
    const { status, headers, body, delayMs } = limiter.handle(clock.now());
    if (status !== 200) rejected += 1;
    await wait(LATENCY_MS + delayMs);
    return new Response(body, { status, headers });
  };
  const { open, end } = openOn(clock);
  try {
    const call = open({ client: 0, fetch, clock, random: () => 0.5 });
    const aborted = new AbortController();
    let [left, served, endedAt] = [CALLS, 0, START_AT];
    for (let index = 0; index < CALLS; index += 1) {
      void (async () => {
        try {
          await call(aborted.signal);
          served += 1;
        } catch {
          // A failed call is one that was not served.
        }
        left -= 1;
        endedAt = clock.now();
      })();
    }
    while (left > 0 && clock.now() < START_AT + END_MS) await clock.advance(1_000);
    aborted.abort();
    const ideal = idealMs(kind, QUOTA, CALLS, START_AT);
    return {
      calls: CALLS,
      served,
      rejected,
      seconds: (endedAt - START_AT) / 1_000,
      idealSeconds: ideal / 1_000,
    };
  } finally {
    end?.();
  }
}
