import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/index.js';
import { createMock } from '../../src/mock/index.js';
import type { Figures } from '../support/pacing/figures.js';
import { inOneProcess } from '../support/pacing/petstore.js';
import { type Scenario, simulate } from '../support/pacing/simulation.js';
import { IS_FULL } from '../support/random-runs.js';
import { planChanges, type TrapName, traps } from '../support/pacing/traps.js';

const product = { createPetStore, createMock };

function play(scenario: Scenario): Promise<Figures> {
  return simulate(product, scenario, inOneProcess(product));
}

/** 429 responses per minute that misleading headers alone can cause. */
const ALLOWED_429S: Partial<Record<TrapName, number>> = {
  serverAhead: 0,
  serverBehind: 0,
  dateNever: 0,
  resetEarly: 1,
  remainingRises: 2,
  resetPast: 1,
  headersGap: 0,
  dateNeverAhead: 1,
};

/** The headers and the rules for them are the same in all plans. */
const TESTED_PLANS = IS_FULL ? (['free', 'pro'] as const) : (['free'] as const);

describe.each(TESTED_PLANS)('misleading headers, plan %s (pro with PETSTORE_TEST_FULL=1)', (plan) => {
  const all = traps(plan);
  test.each(
    (Object.entries(ALLOWED_429S) as [TrapName, number][]).map(
      ([name, perMinute]) => [all[name].name, perMinute, all[name]] as const,
    ),
  )(
    '%s: at most %i 429 responses per minute, no ban, and the quota used up',
    async (_name, perMinute, scenario) => {
      const { rateLimited, bans, used } = await play(scenario);
      expect(rateLimited.ours).toBeLessThanOrEqual(perMinute * scenario.minutes);
      expect({ race: rateLimited.race, uninformed: rateLimited.uninformed, bans }).toEqual({
        race: 0,
        uninformed: 0,
        bans: 0,
      });
      expect(used).toBeGreaterThanOrEqual(0.98);
    },
  );
});

test.each(TESTED_PLANS)(
  'without headers, for a time or always, a client of the plan %s is not banned (pro with PETSTORE_TEST_FULL=1)',
  async (plan) => {
    const { headersLate, headersNever } = traps(plan);
    for (const scenario of [headersLate, headersNever]) {
      const { rateLimited, bans, early } = await play(scenario);
      // Without headers only 429 responses reveal the limit, so a few probes get one.
      expect({ bans, early, race: rateLimited.race }).toEqual({ bans: 0, early: 0, race: 0 });
      expect(rateLimited.ours + rateLimited.uninformed).toBeLessThanOrEqual(8 * scenario.minutes);
    }
  },
);

test.each(planChanges.map((scenario) => [scenario.name, scenario] as const))(
  '%s: no 429, nothing early, no ban, and the quota used up',
  async (_name, scenario) => {
    const { rateLimited, bans, early, used } = await play(scenario);
    expect({ rateLimited, bans, early }).toEqual({
      rateLimited: { ours: 0, race: 0, uninformed: 0 },
      bans: 0,
      early: 0,
    });
    expect(used).toBeGreaterThanOrEqual(0.98);
  },
);
