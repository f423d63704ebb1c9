import type { Facts } from '../gather/facts/facts.js';
import type { DnsProvider, Panel } from '../gather/facts/providers.js';
import { expectedRecordsOf } from './advice.js';
import type { DnsProviderReport, ListedService, ProviderReport } from '../report/report.js';
import type { RecordFields } from '../report/finding.js';

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
        ...stepsOf(expectedRecordsOf(facts).flatMap((record) => panelSteps(dns, record))),
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

/** A step in the panel of a provider. */
interface PanelStep {
  text: string;
  /** Whether the record itself says the same. */
  isInRecord: boolean;
}

function stepsOf(all: readonly PanelStep[]): Pick<DnsProviderReport, 'steps' | 'besideRecord'> {
  const texts = (steps: readonly PanelStep[]): string[] => steps.map(({ text }) => text);
  return { steps: texts(all), besideRecord: texts(all.filter(({ isInRecord }) => !isInRecord)) };
}

/**
 * Returns the steps that set a record, in the words of the provider's panel. Empty if its panel is not known, or if it
 * has no such type.
 */
export function panelSteps(
  { alias, aliasType, panel, note }: DnsProvider,
  record: RecordFields,
): PanelStep[] {
  const isApex = record.type === 'ALIAS';
  if (panel === undefined || (isApex && alias !== 'yes')) return [];
  const { value = 'Value', ttl = 'TTL', needsFinalDot = false } = panel;
  const type = isApex ? (aliasType ?? record.type) : (panel.cnameType ?? record.type);
  const own = (text: string): PanelStep => ({ text, isInRecord: false });
  const ofRecord = (text: string): PanelStep => ({ text, isInRecord: true });
  return [
    own(panel.path === undefined ? 'Add a record.' : `Open ${panel.path}.`),
    { text: `Type: ${type}`, isInRecord: type === record.type },
    nameStep(panel, record),
    ofRecord(`${value}: ${record.value}${needsFinalDot ? '.' : ''}`),
    ...(needsFinalDot ? [own(`Keep the dot at the end of ${value}, or the zone is appended.`)] : []),
    ofRecord(`${ttl}: ${String(record.ttl ?? '')} seconds, or the nearest choice`),
    ...(note === undefined ? [] : [own(note)]),
    ofRecord('Save the record.'),
  ];
}

function nameStep({ name = 'Name', apex }: Panel, { label }: RecordFields): PanelStep {
  if (label !== '@' || apex === '@') return { text: `${name}: ${label}`, isInRecord: true };
  const text = apex === 'empty' ? `${name}: leave it empty` : `${name}: the domain itself (@ or empty)`;
  return { text, isInRecord: false };
}
