// A program that uses the library until its parent sends "stop". Reports pets, memory and open handles to the parent.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPetStore, fileGate, isPetStoreError } from 'petstore';
import { seededRandom } from '../support/seeded-random.cjs';

const [, , baseUrl, directory, seed] = process.argv;
const random = seededRandom(Number(seed));
/** Calls at a time. */
const WORKERS = 4;
const MEMORY_EVERY_MS = 1_000;

const store = createPetStore({
  apiKey: 'mock-key',
  baseUrl,
  gate: fileGate({ directory }),
  timeoutMs: 3_000,
  retry: { attemptsMax: 3 },
  onWarning: ({ message }) => process.send({ warning: message }),
});
const stopped = new AbortController();
let count = 0;

/** Each name is used once, so that the parent can count its pets. */
async function create() {
  const name = `library-${process.pid}-${(count += 1)}`;
  try {
    await store.pets.create({ name, categoryId: 7 }, { waitSignal: stopped.signal });
    process.send({ name, outcome: 'created' });
  } catch (error) {
    process.send({ name, outcome: isPetStoreError(error) ? error.outcome : 'untyped', error: String(error) });
  }
}

async function read() {
  const signal = random() < 0.2 ? AbortSignal.timeout(Math.floor(random() * 50)) : undefined;
  try {
    await store.pets.list({ limit: 1 + Math.floor(random() * 100) }, { signal, waitSignal: stopped.signal });
  } catch (error) {
    if (!isPetStoreError(error)) process.send({ untyped: String(error) });
  }
}

async function work() {
  while (!stopped.signal.aborted) {
    await (random() < 0.3 ? create() : read());
    await sleep(20);
  }
}

const timer = setInterval(() => {
  gc();
  process.send({ heapBytes: process.memoryUsage().heapUsed });
}, MEMORY_EVERY_MS);
process.once('message', () => stopped.abort());
// The parent has ended.
process.once('disconnect', () => process.exit());
await Promise.all(Array.from({ length: WORKERS }, work));
clearInterval(timer);
await store.close();
// Closed sockets are removed in the next turns of the event loop.
for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
process.send({ handles: process.getActiveResourcesInfo() }, () => process.disconnect());
