import { InvalidInputError } from '../../errors.js';
import type { PlanFact, ZoneFacts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { parseDomainName, type DomainName } from '../name/name.js';
import type { CheckRequest, KnownPlan } from '../report/options.js';
import { shown } from '../finding/printable.js';
import { registrableOf } from './zone.js';

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
  if (kind === 'subdomain' && registrableOf(parsed.name.ascii) === parsed.name.ascii) {
    return { ok: false, target, finding: topOfZone(parsed.name), suggestion: undefined };
  }
  const plan = readPlan(request.plan);
  return { ok: true, subject: { domain: parsed.name, target, plan, deployed, kind, issuer } };
}

/** One of many domains may be so by mistake; the others are to be checked all the same. */
function sameAsTarget(name: DomainName): Finding {
  return cannotBe(
    name,
    "is the target itself: a domain can't lead to itself.",
    'Give your own domain, and as the target the value that the dashboard shows for it.',
  );
}

/** Above it there is only the registry's zone, in which nobody else types records. */
function topOfZone(name: DomainName): Finding {
  return cannotBe(
    name,
    'is the top of its own zone, and no subdomain: no CNAME can be there.',
    'Leave out --subdomain, or give a name below it, such as www.',
  );
}

function cannotBe({ input, unicode }: DomainName, why: string, remedy: string): Finding {
  return {
    id: 'name.invalid',
    axis: 'name',
    severity: 'block',
    message: `${unicode} ${why}`,
    fix: { action: 'other', text: remedy, records: [] },
    evidence: [{ text: `typed: ${shown(input, 80)}` }],
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

/** Whether a plan is Pro or above (specification, rate limits). Of a plan that it does not name, nothing is known. */
const PAID: ReadonlyMap<string, boolean> = new Map([
  ['free', false],
  ['pro', true],
  ['business', true],
  ['enterprise', true],
]);

function readPlan(plan: CheckRequest['plan']): PlanFact | undefined {
  if (plan === undefined) return undefined;
  const { name, inferred = false }: KnownPlan = typeof plan === 'string' ? { name: plan } : plan;
  return { name, paid: PAID.get(name.trim().toLowerCase()), inferred };
}
