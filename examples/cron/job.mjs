// A job that cron starts every hour. It ends in time, says why, and shares the rate limit with the commands of the machine.
import { AbortedError, createPetStore, RateLimitError } from 'petstore';

/** @returns the exit code: 0 done, 75 (EX_TEMPFAIL) to be repeated later. */
export async function countSold(options, log = console.log) {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('SIGTERM'));
  process.once('SIGTERM', onSignal);
  // reservePercent leaves a fifth of the limit to people.
  const store = createPetStore({ reservePercent: 20, deadlineMs: 50 * 60_000, ...options });
  try {
    const { pets, complete } = await store.pets.listAll({ status: 'sold' }, { waitSignal: stop.signal });
    log(`${complete ? '' : 'at least '}${pets.length} sold`);
    return 0;
  } catch (error) {
    if (error instanceof RateLimitError) log(`the limit is used up until ${error.retryAt.toISOString()}`);
    else if (error instanceof AbortedError) log('stopped');
    else throw error;
    return 75;
  } finally {
    process.off('SIGTERM', onSignal);
    await store.close();
  }
}
