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
} from './run/checks.js';
export { parseDomainName } from './request/parse-domain-name.js';
export { todoLines } from './advice/plan.js';
export { zoneFile } from './advice/zone-file.js';
export { recordChanges } from './report/record-changes.js';
export { expectedRecords } from './advice/expected.js';
export { exitCodeOf } from './diagnose/verdict.js';
export { CERTIFICATE_DUE_MS, nextDelay } from './diagnose/wait.js';
export { createDnsClient } from './dns/dns-client.js';
export { watchDomain, watchDomains } from './run/watch-domains.js';
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
} from './report/finding.js';
export type { DomainName } from './names/name.js';
export type { ParsedDomainName } from './request/parse-domain-name.js';
export type { NameAddresses } from './gather/aliases.js';
export type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  FoundAddresses,
  KnownPlan,
  ProbeEndpoint,
  ProbeOptions,
  ProbeRoute,
  RedirectEntry,
  RedirectsCheck,
  RedirectsRequest,
} from './request/options.js';
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
} from './dns/dns.js';
export type { Clock } from '../time/clock.js';
export type { DnsClientOptions } from './dns/dns-client.js';
export type { PlannedDomain } from './run/checker.js';
export type { RecordPlan } from './advice/record-plan.js';
export type { TodoLine } from './advice/plan.js';
export type { ZoneRecords } from './advice/zone-file.js';
export type { VerdictExitCode, VerdictOptions } from './diagnose/verdict.js';
export type { WaitGoal, WaitState } from './diagnose/wait.js';
export type { WatchEnd, WatchEvent, WatchOptions, WatchPause } from './run/watch.js';
export type { DomainWatchEvent, WatchDomainsOptions } from './run/watch-domains.js';
