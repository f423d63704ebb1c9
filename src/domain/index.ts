export { addressesOf } from './addresses-of.js';
export { checkDomain } from './check-domain.js';
export { checkDomains } from './check-domains.js';
export { checkRedirects } from './check-redirects.js';
export { parseDomainName } from './name.js';
export { planRecords } from './plan-records.js';
export { createProbes } from './probes.js';
export { terraform } from './terraform.js';
export { zoneFile } from './zone-file.js';
export { expectedRecords } from './expected.js';
export { exitCodeOf } from './verdict.js';
export { CERTIFICATE_DUE_MS, nextDelay } from './wait.js';
export { createDnsClient } from './resolver/dns-client.js';
export { watchDomain } from './watch-domain.js';
export { watchDomains } from './watch-domains.js';
export type { DomainClock } from './clock.js';
export type { RecordsWanted } from './expected.js';
export type { Axis, Evidence, Finding, FindingId, Fix, RecordToType, Severity } from './finding.js';
export type { DomainName, ParsedDomainName } from './name.js';
export type { NameAddresses } from './name-addresses.js';
export type {
  CheckOptions,
  CheckRequest,
  DomainProbes,
  FoundAddresses,
  Probed,
  ProbePlace,
  ProbeSubject,
  ProbeTarget,
  RedirectEntry,
  RedirectsCheck,
  RedirectsRequest,
  ToldPlan,
} from './options.js';
export type {
  AddressCertificate,
  CertificateReport,
  Estimate,
  NextStep,
  ObservedResolver,
  ObservedServer,
  RedirectReport,
  Report,
  State,
} from './report.js';
export type {
  AskOptions,
  DnsClient,
  DnsExchange,
  DnsQuestion,
  DnsRecord,
  DnsReply,
  DnsServer,
} from './resolver/dns.js';
export type { DnsClientOptions } from './resolver/dns-client.js';
export type { ProbeOptions } from './probes.js';
export type { PlannedDomain } from './run.js';
export type { PlanStep, RecordPlan } from './record-plan.js';
export type { ZoneRecords } from './zone-file.js';
export type { VerdictExitCode, VerdictOptions } from './verdict.js';
export type { WaitGoal, WaitState } from './wait.js';
export type { WatchEnd, WatchEvent, WatchOptions, WatchPause } from './watch.js';
export type { DomainWatchEvent, WatchDomainsOptions } from './watch-domains.js';
