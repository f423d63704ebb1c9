/**
 * The mock of the service.
 *
 * @module petstore/mock
 */
export { BUILT_IN_NAMES } from './dns/built-in-names.js';
export { createMock, DEFAULT_KEY } from './create-mock.js';
export { FAULT_NAMES, FAULT_PROFILES, parseFault } from './service/fault-profiles.js';
export { MockDataError } from './pets/snapshot.js';
export { MOCK_PLANS } from './service/limits.js';
export { readSnapshot, snapshotJson } from './pets/snapshot.js';
export type { MockClock, VirtualClock } from './service/clock.js';
export type { BuiltInName } from './dns/built-in-names.js';
export { BUILT_IN_REDIRECTS } from './web/sites.js';
export type { RedirectSite } from './web/sites.js';
export type { LeftOutReason } from './har/har.js';
export type { ReplayState } from './har/replay.js';
export type { WebEndpoint, WebOptions, WebServer, WebState } from './web/web.js';
export type { DnsOptions, DnsRecordChange, DnsState, MockDns } from './dns/dns.js';
export type { DnsFault, DnsFaultAction } from './dns/dns-faults.js';
export type { DnsJournalEntry } from './dns/dns-handler.js';
export type { DnsServer } from './dns/listen-dns.js';
export type { FaultParameter, FaultProfile } from './service/fault-profiles.js';
export type { Fault, FaultAction, FaultResponse } from './service/fault.js';
export type { MockOutcome, MockRequest, MockResponse } from './service/message.js';
export type { JournalEntry } from './service/journal.js';
export type { LimitState, MockPlan, WindowState } from './service/limits.js';
export type { ListenOptions, Mock, MockServer, MockState } from './world/mock.js';
export type { MockOptions } from './options.js';
export type { MockPet, MockPetSeed, StoreSnapshot } from './pets/store.js';
export type { MockSnapshot, TenantSnapshot } from './pets/snapshot.js';
export type { MockEvent, RequestEvent, StateEvent } from './service/events.js';
export type { Explanation } from './service/explain.js';
export type { ActiveFaultState, FaultChange } from './service/faults.js';
export type { JournalFilter, RequestMatch } from './service/journal-filter.js';
export type { ExpectedCount, Verify } from './service/verify.js';
export type { MockPets } from './pets/store.js';
export type { MockTenant, TenantRateLimit, TenantState } from './world/account.js';
