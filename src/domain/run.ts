import { type AskName, askResponsible, askZone, walkAliases } from './alias-walk.js';
import { addressesIn } from './classify.js';
import { pause, systemClock } from './clock.js';
import { diagnose } from './diagnose.js';
import { estimateVisibility } from './estimate.js';
import { expectedRecords } from './expected.js';
import type { Facts, ResolverFacts } from './facts.js';
import type { Finding } from './finding.js';
import { gather } from './gather.js';
import { createInquiry, type Inquiry, type ZoneMemory } from './inquiry.js';
import { judgedServers } from './server-view.js';
import { looksRight } from './looks-right.js';
import { nextSteps } from './next-steps.js';
import { observe } from './observed.js';
import type { CheckOptions, CheckRequest, DomainProbes, Probed, ProbeSubject } from './options.js';
import { recordPlan, type RecordPlan } from './record-plan.js';
import { chooseResolvers } from './recursive.js';
import type { CertificateReport, RedirectReport, Report } from './report.js';
import { createDnsClient } from './resolver/dns-client.js';
import { systemResolvers } from './resolver/system-resolvers.js';
import { redirectPending } from './rules/redirect-pending.js';
import { createSubjectReader, type ReadSubject } from './subject.js';
import { stateOf } from './verdict.js';

/** Checks that share what they look up. */
export interface Run {
  /**
   * Checks one domain.
   *
   * @throws InvalidInputError where the target is no host name; the signal's reason where it was aborted.
   */
  check(request: CheckRequest): Promise<Report>;
  /** Plans the records of one domain: what to type, what to remove first. Throws as `check` does. */
  plan(request: CheckRequest): Promise<PlannedDomain>;
  /** Ends what is under way, and frees the sockets. */
  close(): void;
}

/** The plan of a domain; for what is no name the report that says so. */
export type PlannedDomain = { ok: true; plan: RecordPlan } | { ok: false; report: Report };

export interface RunSettings {
  /** Zones known from an earlier run. */
  memory?: ZoneMemory | undefined;
  /** Whether the redirects are left alone until the record is right, as a wait does it. Default false. */
  redirectsWhenRight?: boolean;
  /** Runs a pause. */
  restAs?: (rest: () => Promise<void>) => Promise<void>;
}

/**
 * Makes a run.
 *
 * @throws InvalidInputError where a resolver can't be read.
 */
export async function openRun(options: CheckOptions, settings: RunSettings = {}): Promise<Run> {
  options.signal?.throwIfAborted();
  const resolvers = await chooseResolvers(options, () => options.systemResolvers ?? systemResolvers());
  const clock = options.clock ?? systemClock;
  const closing = new AbortController();
  const signals = options.signal === undefined ? [closing.signal] : [closing.signal, options.signal];
  const signal = AbortSignal.any(signals);
  const { timeoutMs } = options;
  const stopClock = timeoutMs === undefined ? undefined : clock.setTimeout(() => closing.abort(), timeoutMs);
  const dns = options.dns ?? createDnsClient();
  const restAs = settings.restAs ?? ((rest) => rest());
  const rest = (delayMs: number): Promise<void> => restAs(() => pause(clock, delayMs, signal));
  const readSubject = createSubjectReader();
  const inquiry = createInquiry({ dns, resolvers, signal, rest, memory: settings.memory }, options);
  return {
    async check(request) {
      const read = readSubject(request);
      if (!read.ok) return invalidReport(request, read);
      const facts = await gather(inquiry, read.subject);
      const probed = await probe(inquiry, request, facts, { ...options, ...settings });
      options.signal?.throwIfAborted();
      return reportOf(facts, probed);
    },
    async plan(request) {
      const read = readSubject(request);
      if (!read.ok) return { ok: false, report: invalidReport(request, read) };
      const facts = await gather(inquiry, read.subject);
      options.signal?.throwIfAborted();
      return { ok: true, plan: recordPlan(facts) };
    },
    close() {
      stopClock?.();
      closing.abort();
      if (options.dns === undefined) dns.close();
    },
  };
}

interface ProbeResults extends Pick<Report, 'certificate' | 'redirects'> {
  findings: readonly Finding[];
}

/**
 * The certificate is looked at where the record is right, for before that nobody could have issued one; in a wait the
 * redirects too, so that the same old host is not knocked at at every check.
 */
async function probe(
  inquiry: Inquiry,
  request: CheckRequest,
  facts: Facts,
  options: CheckOptions & RunSettings,
): Promise<ProbeResults> {
  const isReady = looksRight(facts);
  if (options.redirectsWhenRight === true && !isReady) return { findings: [] };
  const probes = options.probes ?? (await probesFor(request, options));
  if (probes === undefined) return { findings: [] };
  const { redirects: entries = [], certificate: isWanted = true } = request;
  const subject = await probeSubject(inquiry, request, facts);
  const [certificate, redirects] = await Promise.all([
    isWanted && isReady ? probes.certificate(subject) : undefined,
    entries.length > 0 ? probes.redirects(entries, subject) : undefined,
  ]);
  return {
    ...(certificate === undefined ? {} : { certificate: certificate.report }),
    ...(redirects === undefined ? {} : { redirects: redirects.report }),
    findings: [...(certificate?.findings ?? []), ...redirectFindings(certificate, redirects)],
  };
}

function redirectFindings(
  certificate: Probed<CertificateReport> | undefined,
  redirects: Probed<readonly RedirectReport[]> | undefined,
): readonly Finding[] {
  const findings = redirects?.findings ?? [];
  return certificate?.report.status === 'pending' ? redirectPending(findings) : findings;
}

/** Probes of our own, for a request that asks to look beyond DNS. Loaded only then, with TLS and HTTP. */
async function probesFor(
  { certificate, probe: target, redirects = [] }: CheckRequest,
  { clock, random }: CheckOptions,
): Promise<DomainProbes | undefined> {
  const isAsked = certificate === true || target !== undefined || redirects.length > 0;
  return isAsked ? (await import('./probes.js')).createProbes({ clock, random }) : undefined;
}

async function probeSubject(inquiry: Inquiry, request: CheckRequest, facts: Facts): Promise<ProbeSubject> {
  const { signal, clock } = inquiry;
  const connect = request.probe?.connect?.toLowerCase();
  const addressesOf = (name: string): Promise<readonly string[]> =>
    findAddresses(inquiry, name, name === connect ? askResponsible : askZone);
  return {
    domain: facts.domain.ascii,
    target: facts.target,
    addresses: await visitedAddresses(facts, addressesOf),
    addressesOf,
    probe: request.probe ?? {},
    verifiedAt: request.verifiedAt,
    now: clock.now(),
    signal,
  };
}

/**
 * What visitors get, also where that is still the old address; where no resolver was asked, what the domain's own servers
 * lead to. The target's addresses only where the record is right, for else the domain leads elsewhere.
 */
async function visitedAddresses(
  facts: Facts,
  addressesOf: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const seen = addressesBy(facts.resolvers);
  if (seen.length > 0) return seen;
  if (looksRight(facts)) return facts.platform.addresses;
  const judged = judgedServers(facts);
  const own = addressesBy(judged);
  if (own.length > 0) return own;
  const leadsOn = judged.some(({ cname }) => cname.outcome === 'value');
  return leadsOn ? addressesOf(facts.domain.ascii) : [];
}

function addressesBy(views: readonly Pick<ResolverFacts, 'a' | 'aaaa'>[]): string[] {
  return [...new Set(views.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records])))];
}

/**
 * The project's own hosts may be yet to come: `askZone` lets no resolver hear of them, for it would remember their absence.
 * A host that the caller told to connect to is there.
 */
async function findAddresses(inquiry: Inquiry, name: string, ask: AskName): Promise<readonly string[]> {
  const lookups = [await walkAliases(inquiry, name, 'A', ask), await walkAliases(inquiry, name, 'AAAA', ask)];
  return [...new Set(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? [])))];
}

function reportOf(facts: Facts, { findings: probed, ...probes }: ProbeResults): Report {
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
    ...(estimate === undefined ? {} : { estimate }),
    ...probes,
    next: nextSteps(facts, state, findings, estimate),
  };
}

/** The report of a name that is none. Nothing was asked. */
function invalidReport(
  { domain, kind }: CheckRequest,
  { target, finding, suggestion }: Extract<ReadSubject, { ok: false }>,
): Report {
  const command = `petstore domain verify ${suggestion ?? ''} --target ${target}`;
  return {
    domain: { input: domain, ascii: '', unicode: '' },
    kind: kind ?? 'subdomain',
    zone: '',
    decidedBy: kind === undefined ? 'public-suffix' : 'override',
    expected: [],
    state: 'invalid',
    findings: [finding],
    observed: { authoritative: [], recursive: [] },
    next: suggestion === undefined ? [] : [{ command, when: 'if that is the name you meant' }],
  };
}
