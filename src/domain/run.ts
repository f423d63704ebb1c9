import { walkAliases } from './alias-walk.js';
import { addressesIn } from './classify.js';
import { pause, systemClock } from './clock.js';
import { diagnose } from './diagnose.js';
import { estimateVisibility } from './estimate.js';
import { expectedRecords } from './expected.js';
import type { Facts } from './facts.js';
import type { Finding } from './finding.js';
import { gather } from './gather.js';
import { createInquiry, type Inquiry, type ZoneMemory } from './inquiry.js';
import { looksRight } from './looks-right.js';
import { nextSteps } from './next-steps.js';
import { observe } from './observed.js';
import type { CheckOptions, CheckRequest, DomainProbes, ProbeSubject } from './options.js';
import { recordPlan, type RecordPlan } from './record-plan.js';
import { chooseResolvers } from './recursive.js';
import type { Report } from './report.js';
import { createDnsClient } from './resolver/dns-client.js';
import { systemResolvers } from './resolver/system-resolvers.js';
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
      const probed = await probe(inquiry, request, facts, options);
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

/** The certificate is looked at where the record is right, for before that nobody could have issued one. */
async function probe(
  inquiry: Inquiry,
  request: CheckRequest,
  facts: Facts,
  options: CheckOptions,
): Promise<ProbeResults> {
  const probes = options.probes ?? (await probesFor(request, options));
  if (probes === undefined) return { findings: [] };
  const { redirects: entries = [], certificate: isWanted = true } = request;
  const subject = probeSubject(inquiry, request, facts);
  const [certificate, redirects] = await Promise.all([
    isWanted && looksRight(facts) ? probes.certificate(subject) : undefined,
    entries.length > 0 ? probes.redirects(entries, subject) : undefined,
  ]);
  return {
    ...(certificate === undefined ? {} : { certificate: certificate.report }),
    ...(redirects === undefined ? {} : { redirects: redirects.report }),
    findings: [...(certificate?.findings ?? []), ...(redirects?.findings ?? [])],
  };
}

/** Probes of our own, for a request that asks to look beyond DNS. Loaded only then, with TLS and HTTP. */
async function probesFor(
  { certificate, probe: target, redirects = [] }: CheckRequest,
  { clock, random }: CheckOptions,
): Promise<DomainProbes | undefined> {
  const isAsked = certificate === true || target !== undefined || redirects.length > 0;
  return isAsked ? (await import('./probes.js')).createProbes({ clock, random }) : undefined;
}

function probeSubject(inquiry: Inquiry, request: CheckRequest, facts: Facts): ProbeSubject {
  const { signal, clock } = inquiry;
  const seen = facts.resolvers.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records]));
  return {
    domain: facts.domain.ascii,
    target: facts.target,
    // What visitors get, also where that is still the old address; the target's where no resolver could be asked.
    addresses: seen.length > 0 ? [...new Set(seen)] : facts.platform.addresses,
    async addressesOf(name) {
      const lookups = [await walkAliases(inquiry, name, 'A'), await walkAliases(inquiry, name, 'AAAA')];
      return [...new Set(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? [])))];
    },
    probe: request.probe ?? {},
    verifiedAt: request.verifiedAt,
    now: clock.now(),
    signal,
  };
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
