import { aliasEvidence } from '../../views/alias-evidence.js';
import { evidenceOf } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Fix } from '../../finding/finding.js';
import { expectedText, replaceWithExpected } from '../../records/fixes.js';
import { listed } from '../../finding/printable.js';
import { addressOf, isTargetAddress, ownAddresses } from '../../views/own-records.js';
import { aliasesAt, decisiveServers, serverView } from '../../views/server-view.js';

/**
 * `apex.alias-proved`, `apex.alias-consistent`, `apex.looks-copied`: how certain it is that the addresses come from an
 * ALIAS. `apex.alias-broken` if the target's addresses are unknown.
 */
export function apexAlias(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts).filter((server) => aliasesAt(facts, server).length === 0);
  if (facts.zone.kind !== 'apex' || decisive.length === 0) return [];
  if (decisive.some((server) => serverView(facts, server) === 'incomparable'))
    return incomparable(facts, decisive);
  if (!decisive.every((server) => serverView(facts, server) === 'right')) return [];
  const evidence = aliasEvidence(facts, decisive);
  const texts = TEXTS[evidence === 'proved' || evidence === 'looks-copied' ? evidence : 'consistent'];
  return [
    {
      id: texts.id,
      axis: 'record',
      severity: texts.severity,
      message: texts.message(facts),
      ...(evidence === 'looks-copied' && { fix: replaceCopies(facts, decisive) }),
      evidence: decisive.flatMap(evidenceOfServer),
    },
  ];
}

function replaceCopies(facts: Facts, decisive: readonly ServerFacts[]): Fix {
  const addresses = decisive.flatMap((server) => ownAddresses(facts, server));
  const fix = replaceWithExpected(facts, addresses);
  const { alias = 'yes' } = facts.provider?.dns ?? {};
  return alias === 'yes'
    ? { ...fix, text: `If the record is an ALIAS already, no change is needed. ${fix.text}` }
    : fix;
}

interface AliasText {
  id: 'apex.alias-proved' | 'apex.alias-consistent' | 'apex.looks-copied';
  severity: 'info' | 'warn';
  message: (facts: Facts) => string;
}

const TEXTS: Readonly<Record<'proved' | 'consistent' | 'looks-copied', AliasText>> = {
  proved: {
    id: 'apex.alias-proved',
    severity: 'info',
    message: ({ domain, target }) =>
      `${domain.unicode} follows ${target}: the TTL of its addresses counts down, as with an ALIAS.`,
  },
  consistent: {
    id: 'apex.alias-consistent',
    severity: 'info',
    message: consistentMessage,
  },
  'looks-copied': {
    id: 'apex.looks-copied',
    severity: 'warn',
    message: ({ domain, target }) =>
      `${domain.unicode} resolves to the addresses of ${target}, but with a constant, longer TTL. They look copied. The domain breaks when the target's addresses change.`,
  },
};

function consistentMessage({ domain, target, platform }: Facts): string {
  const { byCertificate = [], isVarying } = platform;
  if (byCertificate.length > 0)
    return `${domain.unicode} resolves to ${listed(byCertificate)}. ${target} returned other addresses, but this one serves its certificate.`;
  if (isVarying === true)
    return `${domain.unicode} resolves to addresses that change with each response, as those of ${target} do.`;
  return `${domain.unicode} resolves to the addresses of ${target}. DNS does not show whether they are an ALIAS or copies.`;
}

function incomparable(facts: Facts, decisive: readonly ServerFacts[]): Finding[] {
  const { platform, target, domain } = facts;
  if (platform.addresses.length > 0) return [otherAlias(facts, decisive)];
  // A target without an address is `record.dangling`.
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
      message: `${domain.unicode} has addresses, but queries for those of ${target} failed. They can't be compared.`,
      fix: { action: 'other', text: 'Try again, or query another resolver with --resolver.', records: [] },
      evidence: [
        ...[platform.a, platform.aaaa].flatMap((lookup) =>
          lookup === undefined ? [] : [evidenceOf(lookup)],
        ),
        ...decisive.map((server) => evidenceOf(server.a)),
      ],
    },
  ];
}

/** An ALIAS to another host, or to the target in another region. */
function otherAlias(facts: Facts, decisive: readonly ServerFacts[]): Finding {
  const { domain, platform, target } = facts;
  const addresses = decisive.flatMap((server) => ownAddresses(facts, server)).map(addressOf);
  const foreign = [...new Set(addresses)].filter((address) => !isTargetAddress(facts, address));
  return {
    id: 'apex.wrong-address',
    axis: 'record',
    severity: 'unknown',
    message: `${domain.unicode} is an ALIAS: its addresses come from another host. That host may not be ${target}, which did not return ${listed(foreign)}.`,
    fix: {
      action: 'other',
      text: `Check that the record reads ${expectedText(facts)}. If it does, no change is needed: the target may return other addresses to your provider.`,
      records: [],
    },
    evidence: [
      ...decisive.flatMap(evidenceOfServer),
      ...(platform.a === undefined ? [] : [evidenceOf(platform.a)]),
    ],
  };
}

function evidenceOfServer(server: ServerFacts): Evidence[] {
  const again = server.aRepeated === undefined ? [] : [evidenceOf(server.aRepeated)];
  return [
    evidenceOf(server.a),
    ...again,
    ...(server.aaaa.outcome === 'value' ? [evidenceOf(server.aaaa)] : []),
  ];
}
