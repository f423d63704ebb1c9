import { setMaxListeners } from 'node:events';
import { InvalidInputError } from '../../errors.js';
import { pause, systemClock } from '../../time/clock.js';
import { throwIfAborted } from '../dns/concurrency/stop-signal.js';
import { diagnose } from '../diagnose/diagnose.js';
import { estimateVisibility } from '../gather/views/estimate.js';
import { expectedRecordsOf, isTargetDead } from '../advice/advice.js';
import type { Facts } from '../gather/facts/facts.js';
import { gather } from '../gather/gather.js';
import { type CheckContext, createCheckContext, type ZoneCache } from '../gather/check-context.js';
import { parseDomainName } from '../request/parse-domain-name.js';
import { findAddresses, type NameAddresses } from '../gather/aliases.js';
import { nextStep, nextSteps } from '../diagnose/next-steps.js';
import { observe } from '../diagnose/observed.js';
import type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  RedirectsCheck,
  RedirectsRequest,
} from '../request/options.js';
import type { Probe, ProbeResults } from '../probe/probe-request.js';
import {
  lazyProbe,
  needsProbes,
  probeDomain,
  probeEntries,
  probeOwnCertificate,
  servingTargetFinder,
} from './probe-domain.js';
import { providerReport } from '../advice/provider-report.js';
import { todoOf } from '../advice/plan.js';
import { recordPlan, type RecordPlan } from '../advice/record-plan.js';
import { chooseResolvers } from '../gather/resolvers.js';
import type { Report } from '../report/report.js';
import { createDnsClient } from '../dns/dns-client.js';
import { systemResolvers } from '../dns/server-address.js';
import { parseSubject, type ParsedSubject, type Subject } from '../request/subject.js';
import { resolverView } from '../gather/views/resolver-view.js';
import { traceQueries } from './trace-queries.js';
import { isDnsVerified, stateOf } from '../diagnose/verdict.js';
import { type Verification, verificationOf } from '../diagnose/wait.js';

/** Checks domains. The checks share a DNS client, a time limit and the lookups of shared names. */
export interface Checker {
  /**
   * Checks one domain.
   *
   * @throws AbortedError if the signal is aborted.
   */
  check(request: CheckRequest): Promise<Report>;
  /** Plans the records of one domain: which to set, which to remove first. Throws as `check`. */
  plan(request: CheckRequest): Promise<PlannedDomain>;
  /** Finds the addresses of a name. Throws InvalidInputError if it is not a host name, otherwise as `check`. */
  addressesOf(name: string): Promise<NameAddresses>;
  /** Checks the certificate of a domain. Throws InvalidInputError if its name is invalid, otherwise as `check`. */
  certificate(request: CertificateRequest): Promise<CertificateCheck>;
  /** Checks redirect entries. Throws as `check`. */
  redirects(request: RedirectsRequest): Promise<RedirectsCheck>;
  /** Ends checks in progress, and closes the sockets. */
  close(): void;
}

/**
 * The record plan of a domain, or the report of an invalid name. `ranOutAfterMs` is the time limit in milliseconds, if
 * it was reached before all queries were made.
 */
export type PlannedDomain =
  { ok: true; plan: RecordPlan; ranOutAfterMs?: number } | { ok: false; report: Report };

export interface CheckerSettings {
  /** Zones known from earlier checks. */
  zoneCache?: ZoneCache | undefined;
  /** @default the probe of the options */
  probe?: Probe;
  /**
   * Whether to request the redirects only if the record is right, as in a watch.
   *
   * @default false
   */
  redirectsWhenRight?: boolean | undefined;
  /** Whether a resolver has a stale record for longer than it showed in an earlier check of a watch. */
  isLate?: (label: string, remainingSeconds: number) => boolean;
  /** Runs each pause, for example with its slot released. */
  runPause?: (pause: () => Promise<void>) => Promise<void>;
}

/**
 * Creates a checker. Its time limit starts now.
 *
 * @throws InvalidInputError if a resolver is invalid.
 */
export async function createChecker(options: CheckOptions, settings: CheckerSettings = {}): Promise<Checker> {
  const shared = await createCheckerContext(options, settings);
  const { context } = shared;
  const { probe = lazyProbe(options) } = settings;
  const unlessAborted = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    throwIfAborted(options.signal);
    return result;
  };
  return {
    async check(request) {
      const parsed = parseSubject(request);
      if (!parsed.ok) return invalidReport(request, parsed);
      return checkSubject(shared, { request, subject: parsed.subject }, options, { ...settings, probe });
    },
    async plan(request) {
      const parsed = parseSubject(request);
      if (!parsed.ok) return { ok: false, report: invalidReport(request, parsed) };
      const facts = await shared.withProvider(await gather(context, parsed.subject));
      throwIfAborted(options.signal);
      return { ok: true, plan: recordPlan(facts, diagnose(facts)), ...shared.ranOut() };
    },
    addressesOf: async (name) => unlessAborted(findAddresses(context, parseName(name))),
    certificate: async (request) =>
      unlessAborted(probeOwnCertificate(context, request, parseName(request.domain), probe)),
    redirects: async (request) => unlessAborted(probeEntries(context, request, options)),
    close: shared.close,
  };
}

/** What the checks of a checker share. */
interface CheckerContext {
  context: CheckContext;
  /** Records the queries; only with the option `trace`. */
  tracing: ReturnType<typeof traceQueries> | undefined;
  /** The time limit, if it ended the checks. */
  ranOut(): Pick<Facts, 'ranOutAfterMs'>;
  withProvider(facts: Facts): Promise<Facts>;
  close: () => void;
}

async function createCheckerContext(
  options: CheckOptions,
  settings: CheckerSettings,
): Promise<CheckerContext> {
  throwIfAborted(options.signal);
  const resolvers = await chooseResolvers(options, () => options.systemResolvers ?? systemResolvers());
  const clock = options.clock ?? systemClock;
  const closing = new AbortController();
  const signals = options.signal === undefined ? [closing.signal] : [closing.signal, options.signal];
  const signal = AbortSignal.any(signals);
  // Every paused check of many domains listens to it, which is no leak.
  setMaxListeners(0, signal);
  const { timeoutMs } = options;
  let ranOut: Pick<Facts, 'ranOutAfterMs'> = {};
  let lists: Promise<typeof import('../advice/find-provider.js')> | undefined;
  const clearTimeLimit =
    timeoutMs === undefined
      ? undefined
      : clock.setTimeout(() => {
          ranOut = { ranOutAfterMs: timeoutMs };
          closing.abort();
        }, timeoutMs);
  const client = options.dns ?? createDnsClient();
  const tracing = options.trace === true ? traceQueries(client) : undefined;
  const dns = tracing?.dns ?? client;
  const runPause = settings.runPause ?? ((wait) => wait());
  const pauseFor = (delayMs: number): Promise<void> => runPause(() => pause(clock, delayMs, signal));
  const parts = { dns, resolvers, signal, pause: pauseFor, zoneCache: settings.zoneCache };
  return {
    context: createCheckContext(parts, options),
    tracing,
    ranOut: () => ranOut,
    async withProvider(facts) {
      // Loaded only for a check, and once: an import takes 30 µs also if the module is loaded.
      lists ??= import('../advice/find-provider.js');
      return (await lists).addProvider(facts);
    },
    close() {
      clearTimeLimit?.();
      closing.abort();
      if (options.dns === undefined) dns.close();
    },
  };
}

async function checkSubject(
  { context, tracing, ranOut, withProvider }: CheckerContext,
  { request, subject }: { request: CheckRequest; subject: Subject },
  { until, signal }: CheckOptions,
  { probe, redirectsWhenRight = false, isLate }: CheckerSettings & { probe: Probe },
): Promise<Report> {
  const isProbed = needsProbes(request);
  const { probe: options = {} } = request;
  // With `connect`, every address would serve the same certificate.
  const comparesCertificates = isProbed && request.certificate !== false && options.connect === undefined;
  const findServingTarget = comparesCertificates
    ? servingTargetFinder(context, subject.target, options, probe)
    : undefined;
  const gathered = await withProvider(await gather(context, { ...subject, findServingTarget }));
  const facts = isLate === undefined ? gathered : withLateResolvers(gathered, isLate);
  const isForActive = until === 'active';
  const verification = verificationOf(request, facts.queriedAt);
  const probed: ProbeResults = isProbed
    ? await probeDomain(context, request, verification, facts, probe, redirectsWhenRight)
    : { findings: [] };
  throwIfAborted(signal);
  // Probes took time. Caches must not expire later than the report says; earlier does no harm.
  const queriedAt = Math.max(facts.queriedAt, context.clock.now());
  const known = { ...facts, ...ranOut(), isForActive, queriedAt };
  const report = reportOf(known, probed, verification);
  return tracing === undefined ? report : { ...report, trace: tracing.take() };
}

function withLateResolvers(facts: Facts, isLate: NonNullable<CheckerSettings['isLate']>): Facts {
  const resolvers = facts.resolvers.map((resolver) => {
    const view = resolverView(facts, resolver);
    return 'remaining' in view && isLate(resolver.label, view.remaining)
      ? { ...resolver, isLate: true }
      : resolver;
  });
  return { ...facts, resolvers };
}

function parseName(text: string): string {
  const parsed = parseDomainName(text);
  if (parsed.ok) return parsed.name.ascii;
  const { problem, suggestion } = parsed;
  throw new InvalidInputError(problem, {
    field: 'name',
    ...(suggestion !== undefined && { hint: `Did you mean "${suggestion}"?` }),
  });
}

function reportOf(
  facts: Facts,
  { findings: probed, ...probes }: ProbeResults,
  verification: Verification,
): Report {
  const { domain, zone } = facts;
  const findings = diagnose(facts, probed);
  const state = stateOf(findings);
  const estimate = estimateVisibility(facts);
  const provider = providerReport(facts);
  return {
    domain,
    kind: zone.kind,
    zone: zone.name,
    decidedBy: zone.decidedBy,
    expected: isTargetDead(facts) ? [] : expectedRecordsOf(facts),
    state,
    findings,
    observed: observe(facts),
    estimate,
    ...(state !== 'active' && isDnsVerified(findings) && verification),
    ...probes,
    ...(provider !== undefined && { provider }),
    todo: todoOf(
      facts,
      findings.filter(({ severity }) => severity === 'block'),
    ),
    next: nextSteps(facts, state, findings, estimate),
  };
}

/** The report of an invalid name, for which no query is made. */
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
    todo: [],
    next:
      suggestion === undefined
        ? []
        : [nextStep({ step: 'verify', domain: suggestion, target }, 'Check the suggested name')],
  };
}
