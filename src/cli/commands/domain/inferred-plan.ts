import type { KnownPlan } from '../../../domain/index.js';
import type { Session } from '../../session/action.js';
import { variable } from '../../system/context.js';
import { startTimeLimit } from '../../system/time-limit.js';

/** A healthy service responds sooner. A DNS check takes about as long. */
const TIMEOUT_MS = 2_000;

/**
 * Infers the plan of the API key from the rate limit headers of one small request. `undefined` on any failure, and
 * without a key or an API address. Never rejects.
 */
export async function inferPlan(session: Session): Promise<KnownPlan | undefined> {
  const { context, global, settings } = session;
  const hasKey = variable(context, 'PETSTORE_API_KEY') !== undefined;
  if (global.mock || !hasKey || settings.baseUrl === undefined) return undefined;
  const { signal, cancel } = startTimeLimit(TIMEOUT_MS, context);
  try {
    const store = await session.client({ once: true, mayPrompt: false });
    // A 429 response has the headers too.
    await store.pets.list({ limit: 1 }, { signal }).catch(() => undefined);
    const plan = store.rateLimit?.plan;
    return plan === undefined ? undefined : { name: titled(plan), inferred: true };
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}

/** Capitalises a plan as in the specification. */
export function titled(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
