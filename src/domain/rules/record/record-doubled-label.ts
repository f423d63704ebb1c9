import { evidenceOf } from '../../views/evidence.js';
import { recordLabel } from '../../records/expected.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { recordFields, wantedRecords, wantedText } from '../../records/fixes.js';
import { listed } from '../../finding/printable.js';
import { judgedServers, serverView } from '../../views/server-view.js';

/** `record.doubled-label`: the whole name was typed where the provider appends the zone. */
export function recordDoubledLabel(facts: Facts): Finding[] {
  const { doubled } = facts.relatedNames;
  if (!isDoubled(facts) || doubled === undefined) return [];
  const { domain, zone } = facts;
  const labels = wantedRecords(facts).map(({ label }) => label);
  return [
    {
      id: 'record.doubled-label',
      axis: 'record',
      severity: 'block',
      message:
        `The record is at ${doubled.question.name}: your provider appends ${zone.name} by itself. ` +
        `Type only ${listed(labels)} as the name.`,
      fix: {
        action: 'change',
        text: `Rename the record from ${recordLabel(doubled.question.name, zone.name)} to ${recordLabel(domain.ascii, zone.name)}, so that it reads ${wantedText(facts)}.`,
        records: [
          ...doubled.records.map((record) => recordFields(facts, record)).slice(0, 1),
          ...wantedRecords(facts),
        ],
      },
      evidence: [evidenceOf(doubled)],
    },
  ];
}

/** A wildcard would answer for the doubled name as well, so a random one beside it is the control. */
export function isDoubled(facts: Facts): boolean {
  const { doubled, doubledControl } = facts.relatedNames;
  const judged = judgedServers(facts);
  return (
    doubled?.outcome === 'value' &&
    doubledControl?.outcome !== 'value' &&
    judged.length > 0 &&
    judged.every((server) => serverView(facts, server) === 'absent')
  );
}
