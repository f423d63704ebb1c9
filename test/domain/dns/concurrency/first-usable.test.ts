import { expect, test } from 'vitest';
import { firstUsable } from '../../../../src/domain/dns/concurrency/first-usable.js';
import { isKnown, type Lookup } from '../../../../src/domain/gather/facts/lookup.js';
import { lookupOf, nodata, refused, silent } from '../../facts-builder.js';

/** Servers that respond when the test says so. */
function servers(count: number) {
  const started: { slow: () => void; respond: (lookup: Lookup) => Promise<void> }[] = [];
  const result = firstUsable(
    Array.from({ length: count }, (_, index) => index),
    (_server, slow) => {
      let resolve: (lookup: Lookup) => void = () => undefined;
      const promise = new Promise<Lookup>((done) => (resolve = done));
      const respond = async (lookup: Lookup): Promise<void> => {
        resolve(lookup);
        await new Promise((done) => setImmediate(done));
      };
      started.push({ slow, respond });
      return promise;
    },
    isKnown,
  );
  return { started, result };
}

const known = lookupOf('A', nodata());
const failed = lookupOf('A', refused('REFUSED'));

test('starts the next server after a failure, and none after a response', async () => {
  const { started, result } = servers(3);
  await started[0]?.respond(failed);
  expect(started).toHaveLength(2);
  await started[1]?.respond(known);
  expect(await result).toBe(known);
  expect(started).toHaveLength(2);
});

test('starts the next server next to a slow one, once, and accepts either', async () => {
  const { started, result } = servers(3);
  started[0]?.slow();
  started[0]?.slow();
  expect(started).toHaveLength(2);
  await started[0]?.respond(known);
  expect(await result).toBe(known);
  started[1]?.slow();
  expect(started).toHaveLength(2);
});

test('returns the last failure after all servers have failed', async () => {
  const { started, result } = servers(2);
  started[0]?.slow();
  await started[1]?.respond(failed);
  const last = lookupOf('A', silent());
  await started[0]?.respond(last);
  expect(await result).toBe(last);
});

test('returns nothing without servers', async () => {
  expect(await servers(0).result).toBeUndefined();
});
