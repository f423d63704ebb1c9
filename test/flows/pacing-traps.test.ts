import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/index.js';
import { createMock } from '../../src/mock/index.js';
import type { Figures } from '../support/pacing/figures.js';
import { inOneProcess } from '../support/pacing/petstore.js';
import { type Scenario, simulate } from '../support/pacing/simulation.js';
import { planChanges, type TrapName, traps } from '../support/pacing/traps.js';

const product = { createPetStore, createMock };

function play(scenario: Scenario): Promise<Figures> {
  return simulate(product, scenario, inOneProcess(product));
}

/** 429s a minute that headers alone can lead to: they told that there was more, or that it was time. */
const MISLED: Partial<Record<TrapName, number>> = {
  serverAhead: 0,
  serverBehind: 0,
  dateNever: 0,
  resetEarly: 1,
  remainingRises: 2,
  resetPast: 1,
  headersGap: 0,
  dateNeverAhead: 1,
};

describe.each(['free', 'pro'] as const)('headers that mislead a client of the plan %s', (plan) => {
  const all = traps(plan);
  test.each(
    (Object.entries(MISLED) as [TrapName, number][]).map(
      ([name, perMinute]) => [all[name].name, perMinute, all[name]] as const,
    ),
  )('%s: at most %i a minute, no ban, and the quota used', async (_name, perMinute, scenario) => {
    const { refused, bans, used } = await play(scenario);
    expect(refused.ours).toBeLessThanOrEqual(perMinute * scenario.minutes);
    expect({ race: refused.race, uninformed: refused.uninformed, bans }).toEqual({
      race: 0,
      uninformed: 0,
      bans: 0,
    });
    expect(used).toBeGreaterThanOrEqual(0.98);
  });
});

test.each(['free', 'pro'] as const)(
  'no headers, for a while or at all: a client of the plan %s is not banned',
  async (plan) => {
    const { headersLate, headersNever } = traps(plan);
    for (const scenario of [headersLate, headersNever]) {
      const { refused, bans, early } = await play(scenario);
      // Nobody told it anything but the 429s: of those, no more than the few that go to find out.
      expect({ bans, early, race: refused.race }).toEqual({ bans: 0, early: 0, race: 0 });
      expect(refused.ours + refused.uninformed).toBeLessThanOrEqual(8 * scenario.minutes);
    }
  },
);

test.each(planChanges.map((scenario) => [scenario.name, scenario] as const))(
  '%s under way: no 429, nothing early, no ban, and the quota used',
  async (_name, scenario) => {
    const { refused, bans, early, used } = await play(scenario);
    expect({ refused, bans, early }).toEqual({
      refused: { ours: 0, race: 0, uninformed: 0 },
      bans: 0,
      early: 0,
    });
    expect(used).toBeGreaterThanOrEqual(0.98);
  },
);
