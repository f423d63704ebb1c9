import { InvalidInputError } from '../../errors.js';
import type { PlanFact, ZoneFacts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { parseDomainName, type DomainName, registrableOf } from '../name/name.js';
import type { CheckRequest, KnownPlan } from '../report/options.js';
import type { FindServingTarget } from './alias-evidence.js';
import { shown } from '../finding/printable.js';

/** The subject of a check: a validated request. */
export interface Subject {
  domain: DomainName;
  /** ASCII, lower case, without the final dot. */
  target: string;
  plan: PlanFact | undefined;
  deployed: boolean | undefined;
  kind: ZoneFacts['kind'] | undefined;
  issuer: string | undefined;
  /** Whether to query less common types next to a CNAME. */
  isThorough: boolean;
  /** Whether to look up CAA records. */
  checksCaa: boolean;
  /** Compares certificates of addresses that are not the target's. Absent if certificates are not checked. */
  findServingTarget?: FindServingTarget | undefined;
}

/** A parsed request, or the reason why its domain can't be checked. The target is valid in both cases. */
export type ParsedSubject =
  | { ok: true; subject: Subject }
  | { ok: false; target: string; finding: Finding; suggestion: string | undefined };

/**
 * Creates a parser of requests that parses a repeated target once.
 *
 * The parser throws InvalidInputError if the target is not a host name.
 */
export function createSubjectParser(): (request: CheckRequest) => ParsedSubject {
  let last: { text: string; target: string } | undefined;
  return (request) => {
    if (last?.text !== request.target) last = { text: request.target, target: parseTarget(request.target) };
    return parseSubject(request, last.target);
  };
}

function parseSubject(request: CheckRequest, target: string): ParsedSubject {
  const parsed = parseDomainName(request.domain);
  if (!parsed.ok) return { ok: false, target, finding: parsed.finding, suggestion: parsed.suggestion };
  if (parsed.name.ascii === target) {
    return { ok: false, target, finding: sameAsTarget(parsed.name), suggestion: undefined };
  }
  const { deployed, kind, issuer } = request;
  if (kind === 'subdomain' && registrableOf(parsed.name.ascii) === parsed.name.ascii) {
    return { ok: false, target, finding: notSubdomain(parsed.name), suggestion: undefined };
  }
  const plan = planFact(request.plan);
  const checksCaa = request.certificate !== false;
  const isThorough = request.thorough === true;
  const subject = { domain: parsed.name, target, plan, deployed, kind, issuer, isThorough, checksCaa };
  return { ok: true, subject };
}

/** A finding instead of an error, so that other domains are still checked. */
function sameAsTarget(name: DomainName): Finding {
  return invalidName(
    name,
    "is the target itself; a domain can't point to itself.",
    'Enter your own domain, and as target the value that the dashboard shows for it.',
  );
}

/** A registrable domain can't be a subdomain: its parent zone belongs to the registry. */
function notSubdomain(name: DomainName): Finding {
  return invalidName(
    name,
    "is an apex domain, not a subdomain; it can't have a CNAME.",
    'Leave out --subdomain, or enter a subdomain, such as www.',
  );
}

function invalidName({ input, unicode }: DomainName, why: string, remedy: string): Finding {
  return {
    id: 'name.invalid',
    axis: 'name',
    severity: 'block',
    message: `${unicode} ${why}`,
    fix: { action: 'other', text: remedy, records: [] },
    evidence: [{ text: `input: ${shown(input, 80)}` }],
  };
}

/**
 * Parses a target into ASCII.
 *
 * @throws InvalidInputError if it is not a host name.
 */
export function parseTarget(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  throw new InvalidInputError(parsed.finding.message.replace(/\.$/, ''), {
    field: 'target',
    hint: 'Use the target that the dashboard shows, such as cname.platform.example.',
  });
}

/** Whether a plan is Pro or above. The interface specification names these plans (rate limits). */
const PAID: ReadonlyMap<string, boolean> = new Map([
  ['free', false],
  ['pro', true],
  ['business', true],
  ['enterprise', true],
]);

function planFact(plan: CheckRequest['plan']): PlanFact | undefined {
  if (plan === undefined) return undefined;
  const { name, inferred = false }: KnownPlan = typeof plan === 'string' ? { name: plan } : plan;
  return { name, paid: PAID.get(name.trim().toLowerCase()), inferred };
}
