import { evidenceOf } from '../views/evidence.js';
import { dateAfter, durationText } from '../verdict/estimate.js';
import { delegationTimeText } from '../views/delegation-time.js';
import type { Facts, ResolverFacts } from '../facts/facts.js';
import type { Evidence, Finding } from '../finding/finding.js';
import { listed } from '../finding/printable.js';
import { isRejection } from './zone/zone-dnssec-bogus.js';
import { resolverView, type ResolverView } from '../views/resolver-view.js';

/**
 * `prop.stale-positive`, `prop.stale-negative`, `prop.resolver-error`, `prop.done`: whether the resolvers have the
 * record.
 */
export function propagation(facts: Facts): Finding[] {
  const views = facts.resolvers.map((resolver) => ({ resolver, view: resolverView(facts, resolver) }));
  if (views.length === 0) return [];
  if (views.every(({ view }) => view.kind === 'right')) return [done(views.map(({ resolver }) => resolver))];
  return views.flatMap(({ resolver, view }) => {
    switch (view.kind) {
      case 'stale-positive':
      case 'stale-negative':
        return [stale(facts, resolver, view)];
      case 'error':
        // zone.dnssec-bogus reports a rejection.
        return isRejection(facts, resolver) ? [] : [failed(resolver, view.failure)];
      case 'aborted':
      case 'right':
      case 'filtered':
        return [];
    }
  });
}

function stale(
  facts: Facts,
  resolver: ResolverFacts,
  { kind, remaining, formerHosts }: Extract<ResolverView, { remaining: number }>,
): Finding {
  const { queriedAt, domain, zone } = facts;
  const state =
    formerHosts !== undefined
      ? `still queries the former name servers of ${zone.name} (${listed(formerHosts, 3)})`
      : kind === 'stale-positive'
        ? 'still caches the old record'
        : `still caches that ${domain.unicode} had no address`;
  const delegation =
    formerHosts === undefined
      ? ''
      : ` After a change of name servers, this takes up to ${delegationTimeText(facts)}. Until then, keep the zone at the former provider.`;
  return {
    id: `prop.${kind}`,
    axis: 'propagation',
    // Only resolvers that the user names decide.
    severity: resolver.isDefault === true ? 'warn' : 'wait',
    message: `${resolver.label} ${state}, for ${durationText(remaining)} at most (until ${dateAfter(queriedAt, remaining).toISOString()}).`,
    fix: {
      action: 'other',
      text: `Check again after that time: the cache expires by itself.${delegation}${formerHosts === undefined ? flushText(resolver) : ''}`,
      records: [],
    },
    evidence: evidenceOfResolver(resolver),
  };
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

function failed(resolver: ResolverFacts, failure: string): Finding {
  return {
    id: 'prop.resolver-error',
    axis: 'propagation',
    severity: resolver.isDefault === true ? 'warn' : 'unknown',
    message: `The resolver ${resolver.label} sent no usable response: ${failure}.`,
    fix: {
      action: 'other',
      text: `Check again in a few minutes. Or choose another resolver with --resolver${resolver.isDefault === true ? ', or skip the public ones with --no-public' : ''}.`,
      records: [],
    },
    evidence: evidenceOfResolver(resolver),
  };
}

function done(resolvers: readonly ResolverFacts[]): Finding {
  return {
    id: 'prop.done',
    axis: 'propagation',
    severity: 'info',
    message: `All queried resolvers have the record: ${listed(resolvers.map(({ label }) => label))}.`,
    evidence: resolvers.flatMap(evidenceOfResolver),
  };
}

function evidenceOfResolver({ a, aaaa, ns }: ResolverFacts): Evidence[] {
  return [a, aaaa, ...(ns === undefined ? [] : [ns])].map((lookup) => evidenceOf(lookup, true));
}
