import type { Facts } from '../facts/facts.js';
import { expectedRecordsOf } from '../records/fixes.js';
import type { ListedService, ProviderReport } from '../report/report.js';
import { panelSteps } from './panel-steps.js';
import type { Dated } from '../facts/provider.js';

/** Returns the provider part of a report; `undefined` if nothing is known. */
export function providerReport(facts: Facts): ProviderReport | undefined {
  const { provider = {} } = facts;
  const { dns, parking, cdn } = provider;
  const report: ProviderReport = {
    ...(dns !== undefined && {
      dns: {
        ...listedService(dns),
        ...(dns.alias !== undefined && { alias: dns.alias }),
        ...(dns.aliasType !== undefined && { aliasType: dns.aliasType }),
        steps: expectedRecordsOf(facts).flatMap((record) => panelSteps(dns, record)),
      },
    }),
    ...(parking !== undefined && { parking: listedService(parking) }),
    ...(cdn !== undefined && { cdn: listedService(cdn) }),
  };
  return Object.keys(report).length === 0 ? undefined : report;
}

function listedService({ name, sources, date }: Dated & { name: string }): ListedService {
  return { name, sources, date };
}
