import { digEvidence, evidenceOfAll, lookupText, serverText } from '../../gather/views/evidence.js';
import { dateAfter } from '../../gather/views/estimate.js';
import { describeDuration } from '../../../time/duration.js';
import type { Facts, ResolverFacts } from '../../gather/facts/facts.js';
import { finding, type Evidence, type Finding } from '../../report/finding.js';
import { listed } from '../../names/printable.js';
import { isRejection } from './zone/zone-dnssec-bogus.js';
import { delegationTimeText } from './zone/zone-name-servers.js';
import { resolverView, type ResolverView } from '../../gather/views/resolver-view.js';

/**
 * Whether the resolvers have the record.
 *
 * - `prop.done`: all queried resolvers have it.
 * - `prop.stale-positive`: a resolver caches an old record.
 * - `prop.stale-negative`: a resolver caches that there was no record.
 * - `prop.resolver-error`: a resolver sends no usable response.
 */
export function propagation(facts: Facts): Finding[] {
  const { resolvers } = facts;
  if (resolvers.length === 0) return [];
  if (resolvers.every((resolver) => resolverView(facts, resolver).kind === 'right')) {
    return [
      finding('prop.done', 'info', {
        message: `All queried resolvers have the record: ${listed(resolvers.map(({ label }) => label))}.`,
        evidence: resolvers.flatMap(evidenceOfResolver),
      }),
    ];
  }
  return resolvers.flatMap((resolver) => {
    const view = resolverView(facts, resolver);
    if ('remaining' in view) return stale(facts, resolver, view);
    if (view.kind === 'expired') return [expired(resolver, view.code)];
    // zone.dnssec-bogus reports a rejection.
    if (view.kind !== 'error' || isRejection(facts, resolver)) return [];
    const isDefault = resolver.isDefault === true;
    return [
      finding('prop.resolver-error', isDefault ? 'warn' : 'unknown', {
        message: `The resolver ${resolver.label} sent no usable response: ${view.failure}.`,
        fix: `Check again in a few minutes. Or choose another resolver with --resolver${isDefault ? ', or skip the public ones with --no-public' : ''}.`,
        evidence: evidenceOfResolver(resolver),
      }),
    ];
  });
}

function stale(
  facts: Facts,
  resolver: ResolverFacts,
  { kind, remaining, mayBeLonger, formerHosts }: Extract<ResolverView, { remaining: number }>,
): Finding[] {
  const { queriedAt, domain, zone } = facts;
  const state =
    formerHosts !== undefined
      ? `still queries the former name servers of ${zone.name} (${listed(formerHosts, 3)})`
      : kind === 'stale-positive'
        ? 'still caches the old record'
        : `still caches that ${domain.unicode} had no ${missingAddress(resolver)}`;
  const delegation =
    formerHosts === undefined
      ? ''
      : ` After a change of name servers, this takes up to ${delegationTimeText(facts)}. Until then, keep the zone at the former provider.`;
  return [
    finding(`prop.${kind}`, resolver.isDefault === true ? 'warn' : 'wait', {
      message: `${resolver.label} ${state}, for ${describeDuration(remaining * 1_000)} at ${mayBeLonger ? 'least' : `most (until ${dateAfter(queriedAt, remaining).toISOString()})`}.`,
      fix: `Check again after that time: the cache expires by itself.${mayBeLonger ? LONGER[mayBeLonger] : ''}${delegation}${formerHosts === undefined ? flushText(resolver) : ''}`,
      evidence: [
        ...evidenceOfResolver(resolver),
        ...(mayBeLonger === 'second-cache' ? evidenceOfCacheBehind(resolver) : []),
      ],
    }),
  ];
}

const LONGER = {
  'equal-ttls': ' It shows the same TTL for all records, so the old one may stay longer.',
  'fixed-ttl': ' The TTL that it shows does not count down, so it may have the record for longer.',
  late: ' It showed a shorter time before, so it may have the record for longer.',
  'second-cache': ' Another cache is behind it, and may return the old response again.',
};

/** What the resolver denies: the other family may be right already. */
function missingAddress({ a, aaaa }: ResolverFacts): string {
  if (a.outcome === 'value') return 'IPv6 address';
  return aaaa.outcome === 'value' ? 'IPv4 address' : 'address';
}

/** A record that the resolver has kept beyond its TTL. Nothing shows for how long. */
function expired(resolver: ResolverFacts, code: number): Finding {
  return finding('prop.stale-positive', resolver.isDefault === true ? 'warn' : 'wait', {
    message: `${resolver.label} serves an expired response (EDE ${code}). It may do so for days.`,
    fix: `Clear its cache, or ask its operator to do so.${flushText(resolver)}`,
    evidence: evidenceOfResolver(resolver),
  });
}

/** Pages that clear a public resolver's cache for one name, as of November 2026. */
const FLUSH_PAGES: ReadonlyMap<string, string> = new Map([
  ['1.1.1.1', 'https://one.one.one.one/purge-cache/'],
  ['8.8.8.8', 'https://dns.google/cache'],
]);

function flushText({ server }: ResolverFacts): string {
  const page = FLUSH_PAGES.get(server.address);
  return page === undefined ? '' : ` To clear it now, enter the name at ${page}.`;
}

function evidenceOfCacheBehind({ behind, later }: ResolverFacts): Evidence[] {
  const evidence = (behind === undefined ? [] : [behind.a, behind.aaaa]).map((lookup) => {
    const { server, question } = lookup;
    const text = `${serverText(server)} with the DO flag: ${lookupText(lookup)}`;
    return digEvidence(text, server, question.name, question.type, true, ['+dnssec']);
  });
  return [...evidence, ...evidenceOfAll([later?.a, later?.aaaa], true)];
}

function evidenceOfResolver({ a, aaaa, ns }: ResolverFacts): Evidence[] {
  return evidenceOfAll([a, aaaa, ns], true);
}
