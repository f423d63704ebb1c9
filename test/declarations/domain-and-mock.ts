// Compiled by tsc with the rest of the tests, and never run. `@ts-expect-error` fails if the line compiles.
import {
  type CertificateReport,
  checkDomain,
  type CheckRequest,
  type Report,
  type WatchEvent,
  type WatchPause,
} from '../../src/domain/index.js';
import { createMock, type JournalEntry, type MockState, type TenantState } from '../../src/mock/index.js';

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
