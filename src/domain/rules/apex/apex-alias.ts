import { aliasEvidence } from '../../views/alias-evidence.js';
import { evidenceOf } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import { aliasAdvice } from '../provider-hints.js';
import { aliasesAt, judgedServers, serverView } from '../../views/server-view.js';

/**
 * `apex.alias-proved`, `apex.alias-consistent`, `apex.looks-copied`: how sure it is that the right addresses come from
 * an ALIAS. And where they can't be compared, as there is nothing to compare with, `apex.alias-broken`.
 */
export function apexAlias(facts: Facts): Finding[] {
  const judged = judgedServers(facts).filter((server) => aliasesAt(facts, server).length === 0);
  if (facts.zone.kind !== 'apex' || judged.length === 0) return [];
  if (judged.some((server) => serverView(facts, server) === 'incomparable'))
    return incomparable(facts, judged);
  if (!judged.every((server) => serverView(facts, server) === 'right')) return [];
  const evidence = aliasEvidence(facts, judged);
  const texts = TEXTS[evidence === 'proved' || evidence === 'looks-copied' ? evidence : 'consistent'];
  return [
    {
      id: texts.id,
      axis: 'record',
      severity: texts.severity,
      message: texts.message(facts) + lackOfIpv6(facts, judged),
      ...(evidence === 'looks-copied' && {
        fix: changeToWanted(
          facts,
          `If they were copied, replace them by ${wantedText(facts)}.${aliasAdvice(facts.zone.ownHosts)}`,
        ),
      }),
      evidence: judged.flatMap(evidenceOfServer),
    },
  ];
}

interface LadderText {
  id: 'apex.alias-proved' | 'apex.alias-consistent' | 'apex.looks-copied';
  severity: 'info' | 'warn';
  message: (facts: Facts) => string;
}

const TEXTS: Readonly<Record<'proved' | 'consistent' | 'looks-copied', LadderText>> = {
  proved: {
    id: 'apex.alias-proved',
    severity: 'info',
    message: ({ domain, target }) =>
      `${domain.unicode} follows ${target}: the TTL of its addresses counts down at the name server, as an ALIAS's does.`,
  },
  consistent: {
    id: 'apex.alias-consistent',
    severity: 'info',
    message: ({ domain, target }) =>
      `${domain.unicode} resolves to the addresses of ${target}. Whether by an ALIAS or by copied addresses can't be seen from outside.`,
  },
  'looks-copied': {
    id: 'apex.looks-copied',
    severity: 'warn',
    message: ({ domain, target }) =>
      `${domain.unicode} resolves to the addresses of ${target}, but with a constant TTL above the target's: they look copied, and break when the addresses change.`,
  },
};

function lackOfIpv6({ platform, domain }: Facts, judged: readonly ServerFacts[]): string {
  const isLacking =
    platform.aaaa?.outcome === 'value' && judged.every(({ aaaa }) => aaaa.outcome === 'nodata');
  return isLacking ? ` The target has IPv6, ${domain.unicode} has not.` : '';
}

function incomparable(facts: Facts, judged: readonly ServerFacts[]): Finding[] {
  const { platform, target, domain } = facts;
  // A target that has no address for certain is `record.dangling`.
  if (
    [platform.a, platform.aaaa].every(
      (lookup) => lookup?.outcome === 'nodata' || lookup?.outcome === 'nxdomain',
    )
  ) {
    return [];
  }
  return [
    {
      id: 'apex.alias-broken',
      axis: 'record',
      severity: 'unknown',
      message: `${domain.unicode} has addresses, but those of ${target} could not be asked for, so they can't be compared.`,
      fix: { action: 'other', text: 'Try again, or name another resolver with --resolver.', records: [] },
      evidence: [
        ...[platform.a, platform.aaaa].flatMap((lookup) =>
          lookup === undefined ? [] : [evidenceOf(lookup)],
        ),
        ...judged.map((server) => evidenceOf(server.a)),
      ],
    },
  ];
}

function evidenceOfServer(server: ServerFacts): Evidence[] {
  const again = server.aRepeated === undefined ? [] : [evidenceOf(server.aRepeated)];
  return [
    evidenceOf(server.a),
    ...again,
    ...(server.aaaa.outcome === 'value' ? [evidenceOf(server.aaaa)] : []),
  ];
}
