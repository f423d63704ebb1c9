import { aliasChain } from '../../views/alias-chain.js';
import { type DeadEnd, deadEndOf, isEmpty } from '../../views/dead-end.js';
import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import { judgedServers, serverView } from '../../views/server-view.js';
import { aliasMistakes } from './record-wrong-target.js';

/** `record.dangling`: where the alias ends there is no address. */
export function recordDangling(facts: Facts): Finding[] {
  return targetWithoutAddress(facts) ?? endWithoutAddress(facts);
}

function targetWithoutAddress({ platform, target, platform: { a, aaaa } }: Facts): Finding[] | undefined {
  if (platform.addresses.length > 0 || a === undefined || aaaa === undefined) return undefined;
  if (!isEmpty(a) || !isEmpty(aaaa)) return undefined;
  return [
    {
      id: 'record.dangling',
      axis: 'record',
      severity: 'block',
      message: `The target ${target} has no address itself, so no record that points to it can work.`,
      fix: {
        action: 'other',
        text: 'Compare the target with the value that the dashboard shows. If it is the same, ask the support of the service.',
        records: [],
      },
      evidence: [evidenceOf(a), evidenceOf(aaaa)],
    },
  ];
}

function endWithoutAddress(facts: Facts): Finding[] {
  const isExplained = aliasMistakes(facts).some(({ id }) => id !== 'record.wrong-target');
  if (isExplained || aliasChain(facts).loop !== undefined) return [];
  // A wildcard's alias: the domain has no record that leads anywhere.
  if (judgedServers(facts).every((server) => serverView(facts, server) === 'absent')) return [];
  const end = deadEndOf(facts);
  if (end === undefined) return [];
  return [
    {
      id: 'record.dangling',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} leads to ${end.name}, ${reasonOf(end)}. Waiting will not help.`,
      fix: changeToWanted(facts, `Change the record, so that it reads ${wantedText(facts)}.`),
      evidence: end.lookups.map((lookup) => evidenceOf(lookup)),
    },
  ];
}

function reasonOf({ name, missingZone }: DeadEnd): string {
  if (missingZone === undefined) return 'which has no address';
  return name === missingZone ? 'which is not registered' : `and ${missingZone} is not registered`;
}
