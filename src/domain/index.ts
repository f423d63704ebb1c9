/**
 * Checks of custom domains.
 *
 * @module petstore/domain
 */
export {
  addressesOf,
  checkCertificate,
  checkDomain,
  checkDomains,
  checkRedirects,
  planRecords,
} from './checks.js';
export { parseDomainName } from './name/name.js';
export { todoLines } from './advice/plan.js';
export { zoneFile } from './advice/zone-file.js';
export { recordChanges } from './finding/record-changes.js';
export { expectedRecords } from './advice/expected.js';
export { exitCodeOf } from './verdict/verdict.js';
export { CERTIFICATE_DUE_MS, nextDelay } from './verdict/wait.js';
export { createDnsClient } from './resolver/dns-client.js';
export { watchDomain, watchDomains } from './watch-domains.js';
export type { RecordsWanted } from './advice/expected.js';
export type {
  Axis,
  Change,
  Evidence,
  Finding,
  FindingId,
  AdvicePart,
  Fix,
  RecordFields,
  RecordToAdd,
  Severity,
  Todo,
} from './finding/finding.js';
export type { DomainName, ParsedDomainName } from './name/name.js';
export type { NameAddresses } from './gather/aliases.js';
export type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  KnownPlan,
  RedirectEntry,
  RedirectsCheck,
  RedirectsRequest,
} from './report/options.js';
export type { FoundAddresses, ProbeEndpoint, ProbeRoute, ProbeTarget } from './report/probe-context.js';
export type {
  AddressCertificate,
  CertificateReport,
  DnsProviderReport,
  Estimate,
  ListedService,
  NextAction,
  NextStep,
  ObservedResolver,
  ObservedServer,
  PlatformReport,
  ProbedSite,
  ProviderReport,
  RedirectReport,
  Report,
  State,
  TracedQuery,
  VerifiedAtSource,
} from './report/report.js';
export type {
  DnsClient,
  DnsExchange,
  DnsQuestion,
  DnsRecord,
  DnsResponse,
  DnsServer,
  DnskeyData,
  DsData,
  QueryFailureReason,
  QueryOptions,
  RecordData,
  RecordType,
  RrsigData,
  SoaData,
} from './resolver/dns.js';
export type { Clock } from '../time/clock.js';
export type { DnsClientOptions } from './resolver/dns-client.js';
export type { PlannedDomain } from './run/checker.js';
export type { RecordPlan } from './advice/record-plan.js';
export type { TodoLine } from './advice/plan.js';
export type { ZoneRecords } from './advice/zone-file.js';
export type { VerdictExitCode, VerdictOptions } from './verdict/verdict.js';
export type { WaitGoal, WaitState } from './verdict/wait.js';
export type { WatchEnd, WatchEvent, WatchOptions, WatchPause } from './watch/watch.js';
export type { DomainWatchEvent, WatchDomainsOptions } from './watch-domains.js';
