import { describe, expect, test } from 'vitest';
import { estimateVisibility } from '../../../../src/domain/gather/views/estimate.js';
import {
  a,
  QUERIED_AT,
  buildFacts,
  buildResolver,
  NAME,
  nxdomain,
  refused,
  value,
} from '../../facts-builder.js';
import { RESOLVER, RIGHT, SHOP, worldOf, zoneLab } from '../../world.js';

const old = buildResolver('192.0.2.53', { a: value(a(NAME, '192.0.2.99', 60)), aaaa: nxdomain(50) });
const negative = buildResolver('192.0.2.54', { a: nxdomain(845), aaaa: nxdomain(840) });
const failing = buildResolver('192.0.2.55', { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') });

describe('estimateVisibility', () => {
  test('uses the slowest stale resolver', () => {
    const resolvers = [old, negative, failing, buildResolver('192.0.2.56')];
    expect(estimateVisibility(buildFacts({ resolvers }))).toEqual({
      latest: new Date('2026-11-21T14:32:05Z'),
      inSeconds: 845,
      perResolver: [
        { resolver: '192.0.2.53', remaining: 60 },
        { resolver: '192.0.2.54', remaining: 845 },
      ],
    });
  });

  test('counts from the last response on, so that no time is too early', async () => {
    let now = QUERIED_AT;
    const lab = zoneLab(
      worldOf([RIGHT], {
        cached: { [`A ${SHOP}`]: ['@ 1800 A 198.51.100.7'] },
        // The resolver is slow.
        replace(query) {
          if (query === `${RESOLVER} NS example.test`) now += 60_000;
          return undefined;
        },
      }),
    );
    Object.assign(lab.options, { clock: { ...lab.clock, now: () => now } });
    const { estimate } = await lab.check();
    expect(now).toBeGreaterThan(QUERIED_AT);
    expect(estimate?.latest.getTime()).toBe(now + 1_800_000);
  });

  test('is null if no resolver is stale', () => {
    expect(estimateVisibility(buildFacts())).toBeNull();
    expect(estimateVisibility(buildFacts({ resolvers: [failing] }))).toBeNull();
  });
});
