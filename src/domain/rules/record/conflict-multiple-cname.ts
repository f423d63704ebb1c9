import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeSeen, wantedText } from '../../records/fixes.js';
import { listed } from '../../finding/printable.js';
import { aliasesAt, aliasTarget, judgedServers } from '../../views/server-view.js';

/** `conflict.multiple-cname`: two or more CNAMEs at one name. */
export function conflictMultipleCname(facts: Facts): Finding[] {
  const server = judgedServers(facts).find((one) => aliasesAt(facts, one).length > 1);
  if (facts.zone.kind === 'apex' || server === undefined) return [];
  const aliases = aliasesAt(facts, server);
  const strangers = aliases.filter((record) => aliasTarget(record) !== facts.target);
  const isThere = strangers.length < aliases.length;
  const ending = isThere ? 'keep the one to' : 'add one to';
  return [
    {
      id: 'conflict.multiple-cname',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has ${aliases.length} CNAMEs: to ${listed(aliases.map(aliasTarget))}. Only one may be there.`,
      fix: removeSeen(
        facts,
        strangers,
        `Remove the CNAME to ${listed(strangers.map(aliasTarget))} and ${ending} ${facts.target}: ${wantedText(facts)}.`,
      ),
      evidence: [evidenceOf(server.cname)],
    },
  ];
}
