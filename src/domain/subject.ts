import { InvalidInputError } from '../errors.js';
import type { PlanFact, ZoneFacts } from './facts.js';
import type { Finding } from './finding.js';
import { parseDomainName, type DomainName } from './name.js';
import type { CheckRequest } from './options.js';
import { clipped, printable } from './printable.js';

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

/** A request that was read, or why its domain is none to check. The target is a host name in both. */
export type ReadSubject =
  | { ok: true; subject: Subject }
  | { ok: false; target: string; finding: Finding; suggestion: string | undefined };

/**
 * Makes a reader of requests, which reads a target that comes again and again once.
 *
 * The reader throws InvalidInputError where the target is no host name.
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
  if (parsed.name.ascii === target) {
    return { ok: false, target, finding: sameAsTarget(parsed.name), suggestion: undefined };
  }
  const { deployed, kind, issuer } = request;
  const plan = readPlan(request.plan);
  return { ok: true, subject: { domain: parsed.name, target, plan, deployed, kind, issuer } };
}

/** One of many domains may be so by mistake; the others are to be checked all the same. */
function sameAsTarget({ input, unicode }: DomainName): Finding {
  return {
    id: 'name.invalid',
    axis: 'name',
    severity: 'block',
    message: `${unicode} is the target itself: a domain can't lead to itself.`,
    fix: {
      action: 'other',
      text: 'Give your own domain, and as the target the value that the dashboard shows for it.',
      records: [],
    },
    evidence: [{ text: `typed: ${clipped(printable(input), 80)}` }],
  };
}

/**
 * The target in ASCII.
 *
 * @throws InvalidInputError where it is no host name.
 */
export function readTarget(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  throw new InvalidInputError(parsed.finding.message, {
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
