import { evidenceOf, recordText } from '../evidence.js';
import type { Facts, ServerFacts } from '../facts.js';
import type { Finding } from '../finding.js';
import { addWanted } from '../fixes.js';
import type { Lookup } from '../lookup.js';
import { ownAddresses } from '../own-records.js';
import { aliasesAt, judgedServers } from '../server-view.js';

/** `record.wildcard`: any name beside the domain gets the same answer. */
export function recordWildcard(facts: Facts): Finding[] {
  const lookup = wildcardAnswer(facts);
  if (lookup === undefined) return [];
  const parent = facts.domain.ascii.slice(facts.domain.ascii.indexOf('.') + 1);
  return [
    {
      id: 'record.wildcard',
      axis: 'record',
      severity: 'warn',
      message:
        `${facts.domain.unicode} is answered as any name below ${parent} is: by a wildcard, *.${parent}. ` +
        'An explicit record is safer: whoever may claim other names at the service could be reached under yours.',
      fix: addWanted(facts),
      evidence: [evidenceOf(lookup)],
    },
  ];
}

/** The answer for a random name, where it is the same as the domain's. */
export function wildcardAnswer(facts: Facts): Lookup | undefined {
  if (facts.zone.kind === 'apex') return undefined;
  const [server] = judgedServers(facts);
  if (server === undefined) return undefined;
  const own = new Set(textsOf(facts, server));
  return facts.nearby.wildcard.find((lookup) => {
    const seen = [...lookup.chain.slice(0, 1), ...(lookup.chain.length === 0 ? lookup.records : [])];
    return seen.length > 0 && seen.every(({ data }) => own.has(recordText(data).toLowerCase()));
  });
}

function textsOf(facts: Facts, server: ServerFacts): string[] {
  const records = [...aliasesAt(facts, server), ...ownAddresses(facts, server)];
  return records.map(({ data }) => recordText(data).toLowerCase());
}
