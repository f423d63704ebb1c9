import type { CheckRequest, KnownPlan, ProbeOptions, RedirectEntry } from '../../../domain/index.js';
import type { Session } from '../../session/session.js';
import { variable } from '../../system/context.js';
import { startLimitSignal } from '../../system/time-limit.js';
import { MOCK_ISSUER } from './dns-access.js';
import { kindOf, type VerifyOptions } from './input/domain-flags.js';
import { asciiOf } from './input/names.js';
import type { CommandSubject } from './input/subject.js';
import type { VerificationTimes } from './verification-times.js';

/** Whether to probe. With --mock only on request or for a server of the user: most names show a problem of DNS. */
export function canProbe({ connect, probesPlatform, until }: VerifyOptions, { global }: Session): boolean {
  return !global.mock || connect !== undefined || until === 'active' || probesPlatform;
}

export function requestsOf(
  options: VerifyOptions,
  { project, target, domains }: CommandSubject,
  {
    probe,
    times,
    plan,
  }: { probe: ProbeOptions | undefined; times: VerificationTimes; plan: KnownPlan | undefined },
  session: Session,
): CheckRequest[] {
  const { mock } = session.global;
  const given = options.deployed ? true : options.notDeployed ? false : undefined;
  const deployed = given ?? (mock ? true : project.deployed);
  return domains.map(({ input, ascii }) => ({
    domain: input,
    target,
    redirects: project.redirects.filter((entry) => concerns(entry, ascii)),
    plan,
    deployed,
    // Without a probe, CAA is still checked.
    certificate: options.certificate && probe === undefined ? undefined : options.certificate,
    thorough: options.thorough,
    probe: probe && { ...probe, platform: options.probesPlatform },
    kind: kindOf(options),
    issuer: options.issuer ?? (mock ? MOCK_ISSUER : undefined),
    ...times.verification(ascii, target),
  }));
}

/** The plan from the flag or the project file; otherwise inferred. The mock's service meets all requirements. */
export async function knownPlan(
  options: VerifyOptions,
  { project }: CommandSubject,
  session: Session,
): Promise<KnownPlan | undefined> {
  const plan = options.plan ?? (session.global.mock ? 'pro' : project.plan);
  return plan === undefined ? await inferPlan(session) : { name: titled(plan) };
}

/** A healthy service responds sooner. A DNS check takes about as long. */
const TIMEOUT_MS = 2_000;

/**
 * Infers the plan of the API key from the rate limit headers of one small request. `undefined` on any failure, and
 * without a key or a base URL. Never rejects.
 */
export async function inferPlan(session: Session): Promise<KnownPlan | undefined> {
  const { context, global, settings } = session;
  const hasKey = variable(context, 'PETSTORE_API_KEY') !== undefined;
  if (global.mock || !hasKey || settings.baseUrl === undefined) return undefined;
  const { signal, cancel } = startLimitSignal(TIMEOUT_MS, context);
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
function titled(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

function concerns({ from, to }: RedirectEntry, ascii: string): boolean {
  return [from, to].some((host) => asciiOf(host) === ascii);
}
