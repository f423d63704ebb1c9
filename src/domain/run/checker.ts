import { InvalidInputError } from '../../errors.js';
import { pause, systemClock } from '../concurrency/clock.js';
import { diagnose } from '../rules/diagnose.js';
import { estimateVisibility } from '../verdict/estimate.js';
import { expectedRecords } from '../records/expected.js';
import type { Facts } from '../facts/facts.js';
import { gather } from '../gather/gather.js';
import { createCheckContext, type ZoneCache } from '../gather/check-context.js';
import { parseDomainName } from '../name/name.js';
import { findAddresses, type NameAddresses } from '../gather/name-addresses.js';
import { nextStep, nextSteps } from '../verdict/next-steps.js';
import { observe } from '../verdict/observed.js';
import type { CheckOptions, CheckRequest, RedirectsCheck, RedirectsRequest } from '../report/options.js';
import { probeDomain, probeEntries, type ProbeResults, type ProbeSettings } from './run-probes.js';
import { recordPlan, type RecordPlan } from '../records/record-plan.js';
import { chooseResolvers } from '../gather/resolvers.js';
import type { Report } from '../report/report.js';
import { createDnsClient } from '../resolver/dns-client.js';
import { systemResolvers } from '../resolver/server-address.js';
import { createSubjectParser, type ParsedSubject } from '../gather/subject.js';
import { stateOf } from '../verdict/verdict.js';
import { pastTime } from '../verdict/wait.js';

/** Checks that share what they look up. */
export interface Checker {
  /**
   * Checks one domain.
   *
   * @throws InvalidInputError where the target is no host name; the signal's reason where it was aborted.
   */
  check(request: CheckRequest): Promise<Report>;
  /** Plans the records of one domain: what to type, what to remove first. Throws as `check` does. */
  plan(request: CheckRequest): Promise<PlannedDomain>;
  /** Finds where a name leads. @throws InvalidInputError where it is none; else as `check` does. */
  addressesOf(name: string): Promise<NameAddresses>;
  /** Checks redirect entries. Throws as `check` does. */
  redirects(request: RedirectsRequest): Promise<RedirectsCheck>;
  /** Ends what is under way, and frees the sockets. */
  close(): void;
}

/**
 * The plan of a domain; for what is no name the report that says so. `ranOutAfterMs` is there where the time allowed ran out
 * before all was asked.
 */
export type PlannedDomain =
  { ok: true; plan: RecordPlan; ranOutAfterMs?: number } | { ok: false; report: Report };

export interface CheckerSettings extends Pick<ProbeSettings, 'redirectsWhenRight'> {
  /** Zones known from an earlier run. */
  zoneCache?: ZoneCache | undefined;
  /** Runs a pause. */
  runPause?: (rest: () => Promise<void>) => Promise<void>;
}

/**
 * Makes a run.
 *
 * @throws InvalidInputError where a resolver can't be read.
 */
export async function createChecker(options: CheckOptions, settings: CheckerSettings = {}): Promise<Checker> {
  options.signal?.throwIfAborted();
  const resolvers = await chooseResolvers(options, () => options.systemResolvers ?? systemResolvers());
  const clock = options.clock ?? systemClock;
  const closing = new AbortController();
  const signals = options.signal === undefined ? [closing.signal] : [closing.signal, options.signal];
  const signal = AbortSignal.any(signals);
  const { timeoutMs } = options;
  let ranOut: Pick<Facts, 'ranOutAfterMs'> = {};
  const stopClock =
    timeoutMs === undefined
      ? undefined
      : clock.setTimeout(() => {
          ranOut = { ranOutAfterMs: timeoutMs };
          closing.abort();
        }, timeoutMs);
  const dns = options.dns ?? createDnsClient();
  const restAs = settings.runPause ?? ((rest) => rest());
  const rest = (delayMs: number): Promise<void> => restAs(() => pause(clock, delayMs, signal));
  const readSubject = createSubjectParser();
  const context = createCheckContext(
    { dns, resolvers, signal, pause: rest, zoneCache: settings.zoneCache },
    options,
  );
  return {
    async check(request) {
      const read = readSubject(request);
      if (!read.ok) return invalidReport(request, read);
      const facts = await gather(context, read.subject);
      const verifiedAt = pastTime(request.verifiedAt, facts.queriedAt);
      const probed = await probeDomain(context, { ...request, verifiedAt }, facts, {
        ...options,
        ...settings,
      });
      options.signal?.throwIfAborted();
      return reportOf({ ...facts, ...ranOut }, probed, verifiedAt);
    },
    async plan(request) {
      const read = readSubject(request);
      if (!read.ok) return { ok: false, report: invalidReport(request, read) };
      const facts = await gather(context, read.subject);
      options.signal?.throwIfAborted();
      return { ok: true, plan: recordPlan(facts), ...ranOut };
    },
    async addressesOf(name) {
      const found = await findAddresses(context, readName(name));
      options.signal?.throwIfAborted();
      return found;
    },
    async redirects(request) {
      const seen = await probeEntries(context, request, options);
      options.signal?.throwIfAborted();
      return seen;
    },
    close() {
      stopClock?.();
      closing.abort();
      if (options.dns === undefined) dns.close();
    },
  };
}

function readName(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  const { finding, suggestion } = parsed;
  throw new InvalidInputError(finding.message, {
    field: 'name',
    ...(suggestion !== undefined && { hint: `did you mean ${suggestion}?` }),
  });
}

function reportOf(
  facts: Facts,
  { findings: probed, ...probes }: ProbeResults,
  verifiedAt = facts.queriedAt,
): Report {
  const { domain, target, zone } = facts;
  const findings = diagnose(facts, probed);
  const state = stateOf(findings);
  const estimate = estimateVisibility(facts);
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target }),
    state,
    findings,
    observed: observe(facts),
    estimate,
    ...(state === 'verified' && { verifiedAt: new Date(verifiedAt).toISOString() }),
    ...probes,
    next: nextSteps(facts, state, findings, estimate),
  };
}

/** The report of a name that is none. Nothing was asked. */
function invalidReport(
  { domain, kind }: CheckRequest,
  { target, finding, suggestion }: Extract<ParsedSubject, { ok: false }>,
): Report {
  return {
    domain: { input: domain, ascii: '', unicode: '' },
    kind: kind ?? 'subdomain',
    zone: '',
    decidedBy: kind === undefined ? 'public-suffix' : 'override',
    expected: [],
    state: 'invalid',
    findings: [finding],
    observed: { authoritative: [], recursive: [] },
    estimate: null,
    next:
      suggestion === undefined
        ? []
        : [nextStep({ step: 'verify', domain: suggestion, target }, 'Check the suggested name')],
  };
}
