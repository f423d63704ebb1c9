// A job that cron starts every hour: node job.mjs. It ends in time and says why.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AbortedError, createPetStore, fileGate, RateLimitError } from 'petstore';

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
    if (error instanceof RateLimitError)
      log(`the limit is used up; try again ${error.retryAt?.toISOString() ?? 'later'}`);
    else if (error instanceof AbortedError) log('stopped');
    else throw error;
    return 75;
  } finally {
    process.off('SIGTERM', onSignal);
    await store.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: baseUrl } = process.env;
  // The default directory of the command on Linux (`petstore doctor` shows it). Job and command share the rate limit.
  const gate = fileGate({ directory: join(homedir(), '.local/state/petstore/gate') });
  process.exitCode = await countSold({ apiKey, baseUrl, gate });
}
