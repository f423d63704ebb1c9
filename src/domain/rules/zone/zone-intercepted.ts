import type { AccessFacts, Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { evidenceOf, failureText, serverText } from '../../views/evidence.js';

/**
 * `zone.intercepted`, `zone.unreachable-ns`: the network intercepts or blocks DNS, so the name servers can't be queried
 * from here. With a resolver's view, the check is decided by that, and this is a warning.
 */
export function zoneIntercepted(facts: Facts): Finding[] {
  const { access } = facts;
  if (access === undefined) return [];
  const isBlocked = access.problem === 'blocked';
  return [
    {
      id: isBlocked ? 'zone.unreachable-ns' : 'zone.intercepted',
      axis: 'zone',
      severity: access.view === undefined ? 'unknown' : 'warn',
      message: `${problemText(access)} ${viewText(facts, access)}`,
      fix: {
        action: 'other',
        text: isBlocked
          ? 'For the view of the name servers, check from another network, or allow port 53 (UDP and TCP) here.'
          : 'For the view of the name servers, check from another network. Or name a resolver over HTTPS with --doh URL.',
        records: [],
      },
      evidence: [evidenceOf(access.lookup)],
    },
  ];
}

function problemText({ problem, lookup }: AccessFacts): string {
  const server = serverText(lookup.server);
  return problem === 'blocked'
    ? `This network blocks DNS to name servers: not even ${server} responded (${failureText(lookup)}).`
    : `This network intercepts DNS: something else responded in place of ${server} (${failureText(lookup)}).`;
}

function viewText({ zone }: Facts, { view }: AccessFacts): string {
  return view === undefined
    ? `The record is unknown, because the servers of ${zone.name} can't be queried from here.`
    : `This result is the view of ${view.label}, which may cache old records.`;
}
