import { aliasChain } from '../alias-chain.js';
import { evidenceOf } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { changeToWanted, wantedText } from '../fixes.js';
import type { Lookup } from '../lookup.js';
import { aliasTarget, judgedServers, viewOf } from '../server-view.js';
import { recordWrongTarget } from './record-wrong-target.js';

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
  const isExplained = recordWrongTarget(facts).some(({ id }) => id !== 'record.wrong-target');
  if (isExplained || aliasChain(facts).loop !== undefined) return [];
  // A wildcard's alias: the domain has no record that leads anywhere.
  if (judgedServers(facts).every((server) => viewOf(facts, server) === 'absent')) return [];
  const ended = endsAtServer(facts) ?? endsOnTheWay(facts);
  if (ended === undefined) return [];
  return [
    {
      id: 'record.dangling',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} leads to ${ended.end}, which has no address. Waiting will not help.`,
      fix: changeToWanted(facts, `Change the record, so that it reads ${wantedText(facts)}.`),
      evidence: ended.lookups.map((lookup) => evidenceOf(lookup)),
    },
  ];
}

interface DeadEnd {
  end: string;
  lookups: readonly Lookup[];
}

/** The zone's own servers tell of ends that they are responsible for. */
function endsAtServer(facts: Facts): DeadEnd | undefined {
  for (const { a, aaaa } of judgedServers(facts)) {
    const end = a.chain.map(aliasTarget).at(-1);
    const isInZone = end !== undefined && (end === facts.zone.name || end.endsWith(`.${facts.zone.name}`));
    if (isInZone && isEmpty(a) && isEmpty(aaaa)) return { end, lookups: [a, aaaa] };
  }
  return undefined;
}

function endsOnTheWay({ nearby: { chainEnd } }: Facts): DeadEnd | undefined {
  return chainEnd?.outcome === 'nxdomain' ? { end: chainEnd.question.name, lookups: [chainEnd] } : undefined;
}

function isEmpty(lookup: Lookup): boolean {
  return lookup.outcome === 'nodata' || lookup.outcome === 'nxdomain';
}
