import { evidenceOf } from '../views/evidence.js';
import { durationText, timeAfter } from '../verdict/estimate.js';
import type { Facts, ResolverFacts } from '../facts/facts.js';
import type { Evidence, Finding } from '../finding/finding.js';
import { listed } from '../finding/printable.js';
import { resolverView, type ResolverView } from '../views/resolver-view.js';

/** `prop.stale-positive`, `prop.stale-negative`, `prop.resolver-error`, `prop.done`: what users of resolvers get. */
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
        return [failed(resolver, view.trouble)];
      case 'aborted':
      case 'right':
      case 'filtered':
        return [];
    }
  });
}

function stale(
  { queriedAt: askedAt, domain }: Facts,
  resolver: ResolverFacts,
  { kind, remaining }: Extract<ResolverView, { remaining: number }>,
): Finding {
  const what =
    kind === 'stale-positive'
      ? 'still has the old answer'
      : `still remembers that ${domain.unicode} had no address`;
  return {
    id: `prop.${kind}`,
    axis: 'propagation',
    severity: 'wait',
    message: `${resolver.label} ${what}, for ${durationText(remaining)} at most (until ${timeAfter(askedAt, remaining)}).`,
    fix: { action: 'other', text: `Wait: it forgets by itself.${flushText(resolver)}`, records: [] },
    evidence: evidenceOfResolver(resolver),
  };
}

/** Pages where the operator of a public resolver lets anybody empty its cache for one name. As of November 2026. */
const FLUSH_PAGES: ReadonlyMap<string, string> = new Map([
  ['1.1.1.1', 'https://one.one.one.one/purge-cache/'],
  ['8.8.8.8', 'https://dns.google/cache'],
]);

function flushText({ server }: ResolverFacts): string {
  const page = FLUSH_PAGES.get(server.address);
  return page === undefined ? '' : ` Whoever is in a hurry can empty its cache for the name at ${page}.`;
}

function failed(resolver: ResolverFacts, trouble: string): Finding {
  return {
    id: 'prop.resolver-error',
    axis: 'propagation',
    severity: 'unknown',
    message: `What users of ${resolver.label} get could not be told: ${trouble}.`,
    fix: {
      action: 'other',
      text:
        trouble === 'SERVFAIL'
          ? 'A resolver that checks signatures fails so when DNSSEC is broken: compare dig with and without +cd. Else try again.'
          : 'Try again; or leave the public resolvers out with --no-public, and name those that count with --resolver.',
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
    message: `All resolvers asked have it: ${listed(resolvers.map(({ label }) => label))}.`,
    evidence: resolvers.flatMap(evidenceOfResolver),
  };
}

function evidenceOfResolver({ a, aaaa }: ResolverFacts): Evidence[] {
  return [evidenceOf(a, true), evidenceOf(aaaa, true)];
}
