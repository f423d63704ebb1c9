import type { KnownPlan } from '../../../../domain/index.js';
import type { Session } from '../../../session/action.js';
import { variable } from '../../../system/context.js';
import { startTimeLimit } from '../../../system/time-limit.js';

/** A healthy service responds sooner; a check of DNS takes about as long. */
const PATIENCE_MS = 2_000;

/**
 * Finds the plan of the key, as the rate limit headers of one small request let it be inferred. Where no key or no base
 * URL is set nothing is sent; whatever goes wrong, the plan is not known, and that is all. Never rejects.
 */
export async function inferPlan(session: Session): Promise<KnownPlan | undefined> {
  const { context, global, settings } = session;
  const hasKey = variable(context, 'PETSTORE_API_KEY') !== undefined;
  if (global.mock || !hasKey || settings.baseUrl === undefined) return undefined;
  const { signal, cancel } = startTimeLimit(PATIENCE_MS, context);
  try {
    const store = await session.client({ once: true, mayPrompt: false });
    // A used-up limit is told by a refusal, and names the plan as well.
    await store.pets.list({ limit: 1 }, { signal }).catch(() => undefined);
    const plan = store.rateLimit?.plan;
    return plan === undefined ? undefined : { name: titled(plan), inferred: true };
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}

/** As the specification writes plans. */
export function titled(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
