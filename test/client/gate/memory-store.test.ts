import { describe, expect, test } from 'vitest';
import type { Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { memoryGate } from '../../../src/client/gate/memory-gate.js';
import { findGate } from '../../../src/client/gate/registry.js';
import { ConfigurationError } from '../../../src/errors.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const clock = createVirtualClock();
const gateOf = (store: ReturnType<typeof memoryGate> | undefined, service: object = clock) =>
  findGate(
    { service, clock, random: () => 0, origin: 'https://api.test', store, onFailure: () => undefined },
    'key',
  );

describe('memoryGate', () => {
  test('has a budget of its own', () => {
    const [one, other] = [memoryGate(), memoryGate()];
    expect(gateOf(one)).not.toBe(gateOf(other));
    expect(gateOf(one)).not.toBe(gateOf(undefined));
  });

  test('shares its budget among the clients that it is passed to, whatever their fetch', () => {
    const store = memoryGate();
    expect(gateOf(store, {})).toBe(gateOf(store, {}));
  });

  test('admits at once, without a ledger', () => {
    expect(gateOf(memoryGate()).acquire({ pace: true, onWait: () => undefined })).not.toBeInstanceOf(Promise);
  });

  test('is a store that any caller can open', async () => {
    const store = memoryGate();
    const [one, other] = [store.open('budget'), store.open('budget')];
    const seen = one.read() as Reading;
    expect(seen.text).toBeUndefined();
    expect((one.swap(seen, 'a', 1) as Swap).swapped).toBe(true);
    expect(other.swap(seen, 'b', 1)).toMatchObject({ swapped: false, reading: { text: 'a' } });
    expect((store.open('another').read() as Reading).text).toBeUndefined();
    await store.close();
  });
});

test.each([{ foo: 1 }, 5, null])('memoryGate rejects the options %j', (options) => {
  const create = memoryGate as (options: unknown) => unknown;
  expect(() => create(options)).toThrow(ConfigurationError);
});
