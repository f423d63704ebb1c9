import { evidenceOf, recordText } from '../../views/evidence.js';
import { recordLabel } from '../../records/expected.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Fix } from '../../finding/finding.js';
import { addExpectedRecord, recordFields, expectedRecordsOf, expectedText } from '../../records/fixes.js';
import { clipped, listed } from '../../finding/printable.js';
import { isRightAtDecisiveServers, decisiveServers, serverView } from '../../views/server-view.js';
import { isFromWildcard } from '../../views/wildcard.js';
import { conflictOtherTypes } from './conflict-types.js';

/**
 * `record.missing`: a subdomain without an alias or address of its own. If other records have to be removed first,
 * `conflict.other-types` reports that instead.
 */
export function recordMissing(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  if (facts.zone.kind === 'apex' || !isAbsent(facts) || isDoubled(facts)) return [];
  if (conflictOtherTypes(facts).length > 0) return [];
  return [
    {
      id: 'record.missing',
      axis: 'record',
      severity: 'block',
      ...(behindWildcard(facts, decisive) ?? withoutRecord(facts, decisive)),
    },
  ];
}

/**
 * `record.wildcard`: the domain gets the right record from a wildcard. A wildcard with another target is
 * `record.missing`.
 */
export function recordWildcard(facts: Facts): Finding[] {
  const { wildcard } = facts.relatedNames;
  const decisive = decisiveServers(facts);
  if (wildcard === undefined || !isRightAtDecisiveServers(facts)) return [];
  if (!decisive.some(({ server }) => isFromWildcard(facts, server))) return [];
  return [
    {
      id: 'record.wildcard',
      axis: 'record',
      severity: 'warn',
      message:
        `${facts.domain.unicode} has no record of its own: the wildcard ${wildcard.name} covers it. ` +
        'With a wildcard, other people may claim your other names at the service.',
      fix: addExpectedRecord(facts),
      evidence: [evidenceOf(wildcard.lookup)],
    },
  ];
}

/** `record.doubled-label`: the full name was entered although the provider appends the zone. */
export function recordDoubledLabel(facts: Facts): Finding[] {
  const { doubled } = facts.relatedNames;
  if (!isDoubled(facts) || doubled === undefined) return [];
  const { domain, zone } = facts;
  const wanted = expectedRecordsOf(facts);
  return [
    {
      id: 'record.doubled-label',
      axis: 'record',
      severity: 'block',
      message: `The record is at ${doubled.question.name}. Your provider appends ${zone.name} to the name that you type.`,
      fix: {
        action: 'change',
        text:
          `Change the name of the record from ${recordLabel(doubled.question.name, zone.name)} to ${recordLabel(domain.ascii, zone.name)}. ` +
          `It then reads ${expectedText(facts)}.`,
        records: [...doubled.records.map((record) => recordFields(facts, record)).slice(0, 1), ...wanted],
      },
      evidence: [evidenceOf(doubled)],
    },
  ];
}

/** Texts of `record.missing`. */
interface Absence {
  message: string;
  fix: Fix;
  evidence: readonly Evidence[];
}

/** The absence of a record behind a wildcard. The wildcard may stay, because it may serve other names. */
function behindWildcard(facts: Facts, decisive: readonly ServerFacts[]): Absence | undefined {
  const { wildcard } = facts.relatedNames;
  if (wildcard === undefined || !decisive.some(({ server }) => isFromWildcard(facts, server)))
    return undefined;
  const { chain, records } = wildcard.lookup;
  const texts = (chain.length > 0 ? chain.slice(0, 1) : records).map(({ data }) => recordText(data));
  const { text, ...fix } = addExpectedRecord(facts);
  return {
    message: `${facts.domain.unicode} has no record of its own. The wildcard ${wildcard.name} returns ${clipped(listed(texts), 80)} for it.`,
    fix: { ...fix, text: `${text} It takes precedence over the wildcard, which may stay.` },
    evidence: [evidenceOf(wildcard.lookup)],
  };
}

function withoutRecord(facts: Facts, decisive: readonly ServerFacts[]): Absence {
  return {
    message: `${facts.domain.unicode} has no record yet.`,
    fix: addExpectedRecord(facts),
    evidence: decisive.map((server) => evidenceOf(server.cname)),
  };
}

/** Whether the record exists at the doubled name. If a random sibling has one too, it comes from a wildcard. */
function isDoubled(facts: Facts): boolean {
  const { doubled, doubledControl } = facts.relatedNames;
  return doubled?.outcome === 'value' && doubledControl?.outcome !== 'value' && isAbsent(facts);
}

function isAbsent(facts: Facts): boolean {
  const decisive = decisiveServers(facts);
  return decisive.length > 0 && decisive.every((server) => serverView(facts, server) === 'absent');
}
