import { describe, expect, test } from 'vitest';
import {
  type TransportResult,
  queryFailure,
  socketFailure,
  withinLimits,
} from '../../../../src/domain/resolver/transport/transport-result.js';
import { createStopSignals } from '../../../../src/domain/concurrency/stop-signal.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';

const ANSWER: TransportResult = { kind: 'message', message: Buffer.from('answer') };

function begin() {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const limits = { timeoutMs: 1_500, clock, stop: createStopSignals().join([controller.signal]) };
  let end: (delivery: TransportResult) => void = () => undefined;
  let freed = 0;
  const delivery = withinLimits(limits, (given) => {
    end = given;
    return () => {
      freed += 1;
    };
  });
  return {
    clock,
    controller,
    limits,
    delivery,
    end: (given: TransportResult) => end(given),
    freed: () => freed,
  };
}

describe('an exchange', () => {
  test('ends with its result, and leaves neither timer nor listener', async () => {
    const { clock, delivery, end, freed } = begin();
    end(ANSWER);
    end(queryFailure('malformed', 'too late'));
    expect(await delivery).toBe(ANSWER);
    expect(freed()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test('ends at its time limit', async () => {
    const { clock, delivery, freed } = begin();
    await clock.advance(1_500);
    expect(await delivery).toEqual(queryFailure('timeout', 'no response within 1.5 s'));
    expect(freed()).toBe(1);
  });

  test('ends when it is stopped', async () => {
    const { clock, controller, delivery, freed } = begin();
    controller.abort();
    expect(await delivery).toEqual(queryFailure('aborted', 'stopped'));
    expect(freed()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test('does not start if it is stopped already', async () => {
    const { controller, limits } = begin();
    controller.abort();
    const delivery = withinLimits(limits, () => expect.unreachable());
    expect(await delivery).toEqual(queryFailure('aborted', 'stopped'));
  });

  test('that ends during its start is freed too', async () => {
    let freed = 0;
    const delivery = withinLimits(begin().limits, (end) => {
      end(ANSWER);
      return () => {
        freed += 1;
      };
    });
    expect(await delivery).toBe(ANSWER);
    expect(freed).toBe(1);
  });
});

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENETUNREACH', 'no route to the network'],
  ['CERT_HAS_EXPIRED', 'connection failed (CERT_HAS_EXPIRED)'],
  [undefined, 'connection failed (unknown)'],
])('the socket error %s means unreachable', (code, detail) => {
  expect(socketFailure(Object.assign(new Error('x'), { code }))).toEqual(queryFailure('unreachable', detail));
});
