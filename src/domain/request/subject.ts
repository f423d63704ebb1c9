import { InvalidInputError } from '../../errors.js';
import { finding, type Finding } from '../report/finding.js';
import { type DomainName, registrableOf } from '../names/name.js';
import { parseDomainName } from './parse-domain-name.js';
import type { CheckRequest, KnownPlan } from './options.js';
import { shown } from '../names/printable.js';

/** The plan of the project. */
export interface PlanFact {
  name: string;
  /** Whether it is Pro or above; `undefined` for a plan that the interface specification does not name. */
  paid: boolean | undefined;
  /** Whether it was inferred from the rate limit of an API key. */
  inferred: boolean;
}

/** Returns which addresses serve the target's own certificate. */
export type FindServingTarget = (addresses: readonly string[]) => Promise<readonly string[]>;

/** The subject of a check: a validated request. */
export interface Subject {
  domain: DomainName;
  /** ASCII, lower case, without the final dot. */
  target: string;
  plan: PlanFact | undefined;
  deployed: boolean | undefined;
  kind: CheckRequest['kind'];
  issuer: string | undefined;
  /** Whether to query less common types next to a CNAME. */
  isThorough: boolean;
  /** Whether to look up CAA records. */
  checksCaa: boolean;
  /** Compares certificates of addresses that are not the target's. Absent if certificates are not checked. */
  findServingTarget?: FindServingTarget | undefined;
}

/** A parsed request, or the reason why its domain can't be checked. */
export type ParsedSubject =
  | { ok: true; subject: Subject }
  | { ok: false; target: string; finding: Finding; suggestion: string | undefined };

/** Parses a request. An invalid name or target is a finding, so that other domains are still checked. */
export function parseSubject(request: CheckRequest): ParsedSubject {
  const { deployed, kind, issuer, thorough: isThorough = false, certificate: checksCaa = true } = request;
  const aim = parseDomainName(request.target);
  if (!aim.ok) {
    const { message, evidence } = aim.finding;
    const problem = { message: `The target is invalid: ${message}`, fix: TARGET_HINT, evidence };
    const found = finding('name.invalid', 'block', problem);
    return { ok: false, target: '', finding: found, suggestion: undefined };
  }
  const target = aim.name.ascii;
  const parsed = parseDomainName(request.domain);
  if (!parsed.ok) return { ok: false, target, finding: parsed.finding, suggestion: parsed.suggestion };
  const problem = problemOf(parsed.name, target, kind);
  if (problem !== undefined) return { ok: false, target, finding: problem, suggestion: undefined };
  const plan = planFact(request.plan);
  const subject = { domain: parsed.name, target, plan, deployed, kind, issuer, isThorough, checksCaa };
  return { ok: true, subject };
}

const TARGET_HINT = 'Use the target that the dashboard shows, such as cname.platform.example.';

/** Why a valid name can't be checked. */
function problemOf(
  { input, ascii, unicode }: DomainName,
  target: string,
  kind: CheckRequest['kind'],
): Finding | undefined {
  const [why, fix] =
    ascii === target
      ? [
          "is the target itself; a domain can't point to itself.",
          'Enter your own domain, and as target the value that the dashboard shows for it.',
        ]
      : // The parent zone of a registrable domain belongs to the registry.
        kind === 'subdomain' && registrableOf(ascii) === ascii
        ? [
            "is an apex domain, not a subdomain; it can't have a CNAME.",
            'Leave out --subdomain, or enter a subdomain, such as www.',
          ]
        : [];
  if (why === undefined) return undefined;
  const evidence = [{ text: `input: ${shown(input, 80)}` }];
  return finding('name.invalid', 'block', { message: `${unicode} ${why}`, fix, evidence });
}

/**
 * Parses a target into ASCII.
 *
 * @throws InvalidInputError if it is not a host name.
 */
export function parseTarget(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  throw new InvalidInputError(parsed.problem, { field: 'target', hint: TARGET_HINT });
}

/** Whether a plan is Pro or above (interface specification, "Request rate, by plan"). */
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
