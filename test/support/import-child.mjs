// Imports a file in its own process, so that a test can kill it: node import-child.mjs ENTRY BASE_URL INPUT POLICY.
// ENTRY is the client's entry file. Writes one line of JSON to stdout for every row, and one for the report.
const [, , door, baseUrl, path, onUnknown] = process.argv;
// The transport of commands, which is loaded faster than undici.
const { createPetStoreOver, nodeHttpTransport } = await import(new URL('client/internal.js', door).href);
const { openImport } = await import(new URL('bulk/internal.js', door).href);

const write = (value) =>
  process.stdout.write(
    `${JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))}\n`,
  );
const clock = {
  now: Date.now,
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
const store = createPetStoreOver(nodeHttpTransport(), { apiKey: 'mock-key', baseUrl, pace: 'off' });
const job = await openImport({
  input: { kind: 'file', path },
  journal: `${path}.journal`,
  service: baseUrl,
  resume: 'if-started',
  clock,
});
const report = await job.run(store, {
  concurrency: 3,
  onUnknown,
  onEvent(event) {
    if (event.type === 'created') write({ created: event.pet.name });
  },
});
await job.close();
await store.close();
write({ report });
