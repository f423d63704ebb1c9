import { pause } from '../concurrency/clock.js';
import type { PlanFact } from '../facts/facts.js';
import type { Inquiry } from '../gather/inquiry.js';
import type { Subject } from '../gather/subject.js';

/** For who tells the plan, when all else is known. */
const PATIENCE_MS = 5_000;

/**
 * The plan, as it was told. One that is yet to be told is waited for a while and no longer than the run lasts: then it is
 * not known, which stands in nobody's way.
 */
export async function toldPlan(
  { clock, signal }: Pick<Inquiry, 'clock' | 'signal'>,
  plan: Subject['plan'],
): Promise<PlanFact | undefined> {
  if (!(plan instanceof Promise)) return plan;
  const told = new AbortController();
  const end = AbortSignal.any(signal === undefined ? [told.signal] : [told.signal, signal]);
  try {
    return await Promise.race([plan, pause(clock, PATIENCE_MS, end).then(() => undefined)]);
  } finally {
    told.abort();
  }
}
