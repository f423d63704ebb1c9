import type { Facts } from '../facts/facts.js';
import type { DnsProvider, Panel } from '../facts/providers.js';
import { expectedRecordsOf } from '../advice/advice.js';
import type { ListedService, ProviderReport } from '../report/report.js';
import type { RecordFields } from '../finding/finding.js';

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

function listedService({ name, sources, date }: ListedService): ListedService {
  return { name, sources, date };
}

/**
 * Returns the steps that set a record, in the words of the provider's panel. Empty if its panel is not known, or if it
 * has no such type.
 */
export function panelSteps({ alias, aliasType, panel, note }: DnsProvider, record: RecordFields): string[] {
  const isApex = record.type === 'ALIAS';
  if (panel === undefined || (isApex && alias !== 'yes')) return [];
  const { value = 'Value', ttl = 'TTL', needsFinalDot = false } = panel;
  return [
    ...(panel.path === undefined ? ['Add a record.'] : [`Open ${panel.path}.`]),
    `Type: ${isApex ? (aliasType ?? record.type) : (panel.cnameType ?? record.type)}`,
    nameStep(panel, record),
    `${value}: ${record.value}${needsFinalDot ? '.' : ''}`,
    ...(needsFinalDot ? [`Keep the dot at the end of ${value}, or the zone is appended.`] : []),
    `${ttl}: ${String(record.ttl ?? '')} seconds, or the nearest choice`,
    ...(note === undefined ? [] : [note]),
    'Save the record.',
  ];
}

function nameStep({ name = 'Name', apex }: Panel, { label }: RecordFields): string {
  if (label !== '@' || apex === '@') return `${name}: ${label}`;
  return apex === 'empty' ? `${name}: leave it empty` : `${name}: the domain itself (@ or empty)`;
}
