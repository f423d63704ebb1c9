import { aliasChain } from '../../views/alias-chain.js';
import { digCommand } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';

/** `record.loop`: aliases that lead back to one another, so that no address is ever found. */
export function recordLoop(facts: Facts): Finding[] {
  const { loop, steps } = aliasChain(facts);
  if (loop === undefined) return [];
  return [
    {
      id: 'record.loop',
      axis: 'record',
      severity: 'block',
      message: `The aliases go in a circle: ${loop.join(' -> ')}. Waiting will not help.`,
      fix: changeToWanted(facts, `Change the record, so that it reads ${wantedText(facts)}.`),
      evidence: loop.slice(0, -1).map((name, index) => {
        const server = steps.find(({ from }) => from.toLowerCase() === name)?.server;
        return {
          text: `${name} CNAME ${loop[index + 1] ?? ''}`,
          command: digCommand(server, name, 'CNAME', server?.host === undefined),
        };
      }),
    },
  ];
}
