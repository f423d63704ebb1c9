// Compiled by tsc with the rest of the tests, and never run. `@ts-expect-error` fails if the line compiles.
import type { ExportOptions, ImportPetsOptions } from '../../src/bulk/index.js';
import {
  type CertificateReport,
  checkDomain,
  type CheckOptions,
  type CheckRequest,
  type DnsClientOptions,
  type Report,
  type VerdictOptions,
  type WatchEvent,
  type WatchOptions,
  type WatchPause,
} from '../../src/domain/index.js';
import type {
  CallOptions,
  FileGateOptions,
  ListQuery,
  NewPet,
  PetStoreOptions,
  RequestInput,
  RetryOptions,
} from '../../src/index.js';
import {
  createMock,
  type DnsFault,
  type DnsOptions,
  type DnsRecordChange,
  type Fault,
  type FaultChange,
  type FaultResponse,
  type JournalEntry,
  type JournalFilter,
  type ListenOptions,
  type Mock,
  type MockOptions,
  type MockPetSeed,
  type MockState,
  type TenantState,
} from '../../src/mock/index.js';

/** Compiles only if both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(_isSame: Same<A, B>): void => undefined;

declare const report: Report;
declare const request: CheckRequest;

// The time of a report can be passed back as it is, also after a round trip through JSON.
void checkDomain({ ...request, verifiedAt: report.verifiedAt });
void checkDomain({ ...request, verifiedAt: (JSON.parse('{}') as { verifiedAt?: string }).verifiedAt });
// @ts-expect-error the target is required
void checkDomain({ domain: 'shop.example.com' });
// @ts-expect-error must be a list
void checkDomain(request, { resolvers: '192.0.2.53' });

// Points in time are dates.
same<Report['verifiedAt'], Date | undefined>(true);
same<NonNullable<Report['estimate']>['latest'], Date>(true);
same<CertificateReport['addresses'][number]['validTo'], Date | undefined>(true);
same<WatchEvent['nextCheckAt'], Date | undefined>(true);
same<WatchPause['nextCheckAt'], Date>(true);
same<JournalEntry['at'], Date>(true);
same<MockState['now'], Date>(true);
same<TenantState['rateLimit']['resetAt'], Date>(true);
same<ReturnType<ReturnType<typeof createMock>['advance']>, Date>(true);

// @ts-expect-error a mistyped option
createMock({ plann: 'pro' });

// Each option can be undefined, so that programs with `exactOptionalPropertyTypes` can pass on their own options.
type Optional<T> = { [Name in keyof T as T extends Record<Name, unknown> ? never : Name]: T[Name] };
type AcceptsUndefined<T> = { [Name in keyof T]: T[Name] | undefined } extends T ? true : false;
const acceptsUndefined = <T>(..._: AcceptsUndefined<Optional<T>> extends true ? [] : [never]): void =>
  undefined;
acceptsUndefined<PetStoreOptions>();
acceptsUndefined<CallOptions>();
acceptsUndefined<RetryOptions>();
acceptsUndefined<ListQuery>();
acceptsUndefined<NewPet>();
acceptsUndefined<RequestInput>();
acceptsUndefined<FileGateOptions>();
acceptsUndefined<ImportPetsOptions>();
acceptsUndefined<ExportOptions>();
acceptsUndefined<CheckRequest>();
acceptsUndefined<CheckOptions>();
acceptsUndefined<WatchOptions>();
acceptsUndefined<VerdictOptions>();
acceptsUndefined<DnsClientOptions>();
acceptsUndefined<MockOptions>();
acceptsUndefined<MockPetSeed>();
acceptsUndefined<ListenOptions>();
acceptsUndefined<JournalFilter>();
acceptsUndefined<Fault>();
acceptsUndefined<FaultResponse>();
acceptsUndefined<FaultChange>();
acceptsUndefined<DnsOptions>();
acceptsUndefined<DnsFault>();
acceptsUndefined<DnsRecordChange>();
acceptsUndefined<NonNullable<Parameters<Mock['tenant']>[0]>>();
acceptsUndefined<NonNullable<Parameters<Mock['waitForRequests']>[1]>>();
// @ts-expect-error one that does not
acceptsUndefined<{ port?: number }>();
