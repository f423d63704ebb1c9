import { InvalidInputError } from '../errors.js';
import type { PlanFact, ZoneFacts } from './facts.js';
import type { Finding } from './finding.js';
import { parseDomainName, type DomainName } from './name.js';
import type { CheckRequest } from './options.js';

/** What facts are gathered about. */
export interface Subject {
  domain: DomainName;
  /** ASCII, lower case, without the final dot. */
  target: string;
  plan: PlanFact | undefined;
  deployed: boolean | undefined;
  kind: ZoneFacts['kind'] | undefined;
  issuer: string | undefined;
}

/** A request that was read, or why its domain is no name. The target is right in both. */
export type ReadSubject =
  | { ok: true; subject: Subject }
  | { ok: false; target: string; finding: Finding; suggestion: string | undefined };

/**
 * Makes a reader of requests, which reads a target that comes again and again once.
 *
 * The reader throws InvalidInputError where the target is no host name, or is the domain itself.
 */
export function createSubjectReader(): (request: CheckRequest) => ReadSubject {
  let last: { text: string; target: string } | undefined;
  return (request) => {
    if (last?.text !== request.target) last = { text: request.target, target: readTarget(request.target) };
    return readSubject(request, last.target);
  };
}

function readSubject(request: CheckRequest, target: string): ReadSubject {
  const parsed = parseDomainName(request.domain);
  if (!parsed.ok) return { ok: false, target, finding: parsed.finding, suggestion: parsed.suggestion };
  if (parsed.name.ascii === target) throw wrongTarget(`the target is the domain itself: ${target}`);
  const { deployed, kind, issuer } = request;
  const plan = readPlan(request.plan);
  return { ok: true, subject: { domain: parsed.name, target, plan, deployed, kind, issuer } };
}

function readTarget(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  throw wrongTarget(parsed.finding.message);
}

function wrongTarget(message: string): InvalidInputError {
  return new InvalidInputError(message, {
    field: 'target',
    hint: 'give the target as the dashboard shows it, such as cname.platform.example',
  });
}

/** The plans from Pro up (specification, rate limits). Of a plan that it does not name, nothing is known. */
const PAID_PLANS: ReadonlySet<string> = new Set(['pro', 'business', 'enterprise']);

function readPlan(plan: CheckRequest['plan']): PlanFact | undefined {
  if (typeof plan !== 'string') return plan;
  return { name: plan, paid: PAID_PLANS.has(plan.toLowerCase()), inferred: false };
}
