import { aliasEvidence, isFromTarget } from '../../../gather/views/alias-origin.js';
import { isProxied } from '../../../gather/views/proxy.js';
import { addressOf, isReserved, isTargetAddress, ownAddresses } from '../../../gather/views/own-records.js';
import { distinct, evidenceOfAll, recordText } from '../../../gather/views/evidence.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import type { Lookup } from '../../../gather/facts/lookup.js';
import { finding, type Finding, type Fix } from '../../../report/finding.js';
import { expectedText, removeRecords, replaceWithExpected, turnOffProxy } from '../../../advice/advice.js';
import { withFirst } from '../../../advice/words.js';
import { listed } from '../../../names/printable.js';
import { aliasesAt, decisiveServers, serverView } from '../../../gather/views/server-view.js';

/**
 * Addresses at the apex that are not the target's.
 *
 * - `apex.wrong-address`: no address is one of the target.
 * - `apex.mixed`: some addresses are the target's and others are not.
 * - `apex.aaaa-stale`: IPv4 is correct, and the IPv6 addresses are not the target's.
 */
export function apexAddress(facts: Facts): Finding[] {
  const { domain, target, platform } = facts;
  const decisive = serversWithoutAlias(facts);
  if (!decisive.some((server) => serverView(facts, server) === 'wrong')) return [];
  const records = distinct(decisive.flatMap((server) => ownAddresses(facts, server)));
  const foreign = records.filter((record) => !isFromTarget(facts, decisive, record));
  const own = records.filter((record) => !foreign.includes(record));
  // record.reserved-address reports these, with the same fix.
  if (own.length === 0 && foreign.every((record) => isReserved(facts, record))) return [];
  const texts = listed(foreign.map(({ data }) => recordText(data)));
  const areNot = foreign.length === 1 ? 'is not an address' : 'are not addresses';
  const evidence = evidenceOfAll([
    ...decisive.flatMap(({ a, aaaa }) => [a, aaaa]).filter(({ outcome }) => outcome === 'value'),
    platform.a,
    platform.aaaa,
  ]);
  if (own.length === 0) {
    return [
      finding('apex.wrong-address', 'block', {
        message: `${domain.unicode} has ${texts}, which ${areNot} of ${target}.${proxyText(facts)}`,
        fix: isProxied(facts) ? turnOffProxy(facts) : replaceWithExpected(facts, foreign),
        evidence,
      }),
    ];
  }
  const fix = removeRecords(facts, foreign, `Remove ${texts}.`);
  if (foreign.every(({ data }) => data.type === 'AAAA') && !own.some(({ data }) => data.type === 'AAAA')) {
    return [
      finding('apex.aaaa-stale', 'block', {
        message: `${domain.unicode} is correct over IPv4, but ${texts} ${areNot} of ${target}. Visitors with IPv6 get the wrong server, and so do certificate authorities.`,
        fix,
        evidence,
      }),
    ];
  }
  return [
    finding('apex.mixed', 'block', {
      message: `${domain.unicode} has addresses of ${target} and others: ${texts}. Some visitors get the wrong server.`,
      fix,
      evidence,
    }),
  ];
}

function serversWithoutAlias(facts: Facts): ServerFacts[] {
  return decisiveServers(facts).filter((server) => aliasesAt(facts, server).length === 0);
}

/** Names the CDN of the addresses. At a provider that runs it, a proxy hides the record. */
function proxyText(facts: Facts): string {
  const { provider } = facts;
  if (provider?.cdn === undefined) return '';
  const { name } = provider.cdn;
  return isProxied(facts)
    ? ` It belongs to ${name}'s proxy, which hides the record.`
    : ` It belongs to the CDN ${name}.`;
}

/**
 * How certain it is that the addresses come from an ALIAS. `apex.alias-broken` if the target's addresses are unknown.
 *
 * - `apex.alias-proved`: the TTL of the addresses counts down, as with an ALIAS.
 * - `apex.alias-consistent`: the addresses are the target's. DNS does not show whether they are copies.
 * - `apex.looks-copied`: the addresses are the target's, with a constant and longer TTL.
 */
export function apexAlias(facts: Facts): Finding[] {
  const { domain, target } = facts;
  const decisive = serversWithoutAlias(facts);
  if (decisive.length === 0) return [];
  if (decisive.some((server) => serverView(facts, server) === 'incomparable'))
    return incomparable(facts, decisive);
  if (!decisive.every((server) => serverView(facts, server) === 'right')) return [];
  const evidence = evidenceOfAll(decisive.flatMap(addressLookups));
  switch (aliasEvidence(facts, decisive)) {
    case 'proved': {
      const message = `${domain.unicode} follows ${target}: the TTL of its addresses counts down, as with an ALIAS.`;
      return [finding('apex.alias-proved', 'info', { message, evidence })];
    }
    case 'looks-copied':
      return [
        finding('apex.looks-copied', 'warn', {
          message: `${domain.unicode} resolves to the addresses of ${target}, but with a constant, longer TTL. They look copied. The domain breaks when the target's addresses change.`,
          fix: replaceCopies(facts, decisive),
          evidence,
        }),
      ];
    default:
      return [finding('apex.alias-consistent', 'info', { message: consistentMessage(facts), evidence })];
  }
}

function replaceCopies(facts: Facts, decisive: readonly ServerFacts[]): Fix {
  const fix = replaceWithExpected(
    facts,
    decisive.flatMap((server) => ownAddresses(facts, server)),
  );
  const { alias = 'yes' } = facts.provider?.dns ?? {};
  return alias === 'yes'
    ? withFirst(fix, { kind: 'check', text: 'If the record is an ALIAS already, no change is needed.' })
    : fix;
}

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
  if (platform.addresses.length > 0) return otherAlias(facts, decisive);
  const lookups = [platform.a, platform.aaaa];
  // A target without an address is `record.dangling`.
  if (lookups.every((lookup) => lookup?.outcome === 'nodata' || lookup?.outcome === 'nxdomain')) return [];
  return [
    finding('apex.alias-broken', 'unknown', {
      message: `${domain.unicode} has addresses, but queries for those of ${target} failed. They can't be compared.`,
      fix: 'Try again, or query another resolver with --resolver.',
      evidence: evidenceOfAll([...lookups, ...decisive.map(({ a }) => a)]),
    }),
  ];
}

/** An ALIAS to another host, or to the target in another region. */
function otherAlias(facts: Facts, decisive: readonly ServerFacts[]): Finding[] {
  const { domain, platform, target } = facts;
  const addresses = decisive.flatMap((server) => ownAddresses(facts, server)).map(addressOf);
  const foreign = [...new Set(addresses)].filter((address) => !isTargetAddress(facts, address));
  return [
    finding('apex.wrong-address', 'unknown', {
      message: `${domain.unicode} is an ALIAS: its addresses come from another host. That host may not be ${target}, which did not return ${listed(foreign)}.`,
      fix: `Check that the record reads ${expectedText(facts)}. If it does, no change is needed: the target may return other addresses to your provider.`,
      evidence: evidenceOfAll([...decisive.flatMap(addressLookups), platform.a]),
    }),
  ];
}

function addressLookups({ a, aRepeated, aaaa }: ServerFacts): (Lookup | undefined)[] {
  return [a, aRepeated, aaaa.outcome === 'value' ? aaaa : undefined];
}
