import { NOON } from '../virtual-clock.js';
import type { Load, Scenario } from './simulation.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 2, 2);

/** The plans with published limits. */
export const PLANS = ['free', 'pro', 'business'] as const;

type Plan = Scenario['plan'];

/** Concurrent calls that use up the minute limit well before its end. */
const WORKERS: Readonly<Record<Plan, number>> = { free: 16, pro: 32, business: 128 };
const PER_MINUTE: Readonly<Record<Plan, number>> = { free: 60, pro: 300, business: 1_000 };
/** Minutes with whole windows. Each call takes time to simulate, and fewer windows of a larger plan have as many. */
const MINUTES: Readonly<Record<Plan, number>> = { free: 5, pro: 3, business: 2 };
/** Minutes until the clients have used up the day limit, and minutes for which another user has used up the limit before. */
const DAY_MINUTES: Readonly<Record<Plan, number>> = { free: 17, pro: 10, business: 10 };
const USED_MINUTES: Readonly<Record<Plan, number>> = { free: 0, pro: 24, business: 90 };

/** More calls than the limit allows, starting within a minute. */
export function steadyOverload(plan: Plan, clients: number): Scenario {
  return {
    name: 'steady overload',
    plan,
    clients,
    startAt: NOON,
    joinAfterMs: 17_300,
    minutes: MINUTES[plan],
    load: overload(plan, clients),
    latencyMs: [10, 150],
  };
}

/** Usual conditions of a client alone on its key. */
export function everydayScenarios(plan: Plan, clients: number): Scenario[] {
  const base = steadyOverload(plan, clients);
  const { workers } = overload(plan, clients);
  const burst = Math.ceil((1.5 * PER_MINUTE[plan]) / clients);
  return [
    base,
    {
      ...base,
      name: 'bursts',
      minutes: base.minutes + 1,
      load: { kind: 'bursts', calls: burst, everyMs: 2 * MINUTE_MS },
    },
    {
      ...base,
      name: 'responses out of order',
      latencyMs: [20, 3_000],
      load: { kind: 'steady', workers: 4 * workers },
    },
    { ...base, name: 'clocks 1 h off', skewMs: (process) => (process % 2 === 0 ? HOUR_MS : -HOUR_MS) },
    { ...base, name: 'one response in 20 lost', loss: { response: 0.05 } },
    { ...base, name: 'one request in 20 lost', loss: { request: 0.05 } },
    { ...base, name: 'one response in 200 hangs', loss: { hang: 0.005 } },
  ];
}

/** More calls than the day limit allows, continued after midnight. */
export function dayScenario(plan: Plan, clients: number): Scenario {
  return {
    ...steadyOverload(plan, clients),
    name: 'the day limit, over midnight',
    startAt: MIDNIGHT - (DAY_MINUTES[plan] + 10) * MINUTE_MS,
    usedMinutes: USED_MINUTES[plan],
    minutes: DAY_MINUTES[plan] + 13,
  };
}

/** Half of the processes are killed one by one, with requests in flight. */
export function deathScenario(plan: Plan, processes: number): Scenario {
  const base = steadyOverload(plan, processes);
  return {
    ...base,
    name: 'half of the processes killed',
    minutes: Math.max(3, base.minutes),
    killedAfterMs: (process) => (process < processes / 2 ? 2 * MINUTE_MS + 30 + 40 * process : undefined),
  };
}

/** Another user sends with the same key. */
export function foreignScenarios(plan: Plan, clients: number): Scenario[] {
  const base = steadyOverload(plan, clients);
  const third = (3 * MINUTE_MS) / PER_MINUTE[plan];
  return [
    { ...base, name: 'another user with a third', foreign: { everyMs: third, burst: 1 } },
    { ...base, name: 'another user with bursts of ten', foreign: { everyMs: 15_000, burst: 10 } },
    { ...base, name: 'another user without pacing', foreign: { everyMs: 100, burst: 1 } },
  ];
}

function overload(plan: Plan, clients: number): Load & { kind: 'steady' } {
  return { kind: 'steady', workers: Math.max(1, Math.round(WORKERS[plan] / clients)) };
}
