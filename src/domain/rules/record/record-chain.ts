import { aliasChain } from '../../views/alias-chain.js';
import { digCommand } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding, Severity } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import { judgedServers } from '../../views/server-view.js';

/** Resolvers give up on long chains; Zonemaster's limits. */
const HOPS_WARN = 8;
const HOPS_MAX = 10;

/** `record.chain`: the alias leads to the target by way of others. */
export function recordChain(facts: Facts): Finding[] {
  const { steps, loop } = aliasChain(facts);
  const hops = steps.findIndex(({ to }) => to.toLowerCase() === facts.target) + 1;
  const isLong = steps.length > HOPS_WARN;
  if (facts.zone.kind === 'apex' || loop !== undefined || hops === 0 || (hops === 1 && !isLong)) return [];
  const way = [facts.domain.ascii, ...steps.map(({ to }) => to)].join(' -> ');
  return [
    {
      id: 'record.chain',
      axis: 'record',
      severity: severityOf(steps.length),
      message: isLong
        ? `${facts.domain.unicode} takes ${steps.length} aliases to its address; many resolvers stop at about ${HOPS_MAX}.`
        : `${facts.domain.unicode} reaches ${facts.target} through ${hops} aliases. That works; a direct CNAME is safer.`,
      fix: changeToWanted(facts, `Point it there directly: ${wantedText(facts)}.`),
      evidence: [
        { text: way, command: digCommand(judgedServers(facts)[0]?.server, facts.domain.ascii, 'CNAME') },
      ],
    },
  ];
}

function severityOf(hops: number): Severity {
  if (hops > HOPS_MAX) return 'block';
  return hops > HOPS_WARN ? 'warn' : 'info';
}
