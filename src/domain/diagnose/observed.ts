import { distinct, recordText, failureText } from '../gather/views/evidence.js';
import type { Facts, ResolverFacts, ServerFacts } from '../gather/facts/facts.js';
import { isKnown, type Lookup } from '../gather/facts/lookup.js';
import { recordsAt } from '../gather/views/own-records.js';
import { printable } from '../../schema/control-characters.js';
import { shown } from '../names/printable.js';
import type { DnsRecord } from '../dns/dns.js';
import type { ObservedResolver, ObservedServer, Report } from '../report/report.js';
import { resolverView } from '../gather/views/resolver-view.js';
import { aliasesAt } from '../gather/views/server-view.js';

/** Returns the responses of name servers and resolvers for a report, safe to print. */
export function observe(facts: Facts): Report['observed'] {
  const recursive = facts.resolvers.map((resolver) => observedResolver(facts, resolver));
  const view = facts.access?.view;
  if (view === undefined) {
    return { authoritative: facts.servers.map((server) => observedServer(facts, server)), recursive };
  }
  const isListed = recursive.some(({ resolver }) => resolver === printable(view.label));
  return {
    authoritative: [],
    recursive: isListed ? recursive : [...observedView(facts, view.label), ...recursive],
  };
}

function observedServer(facts: Facts, server: ServerFacts): ObservedServer {
  const lookup = decisiveLookup(facts, server);
  const records = [
    ...aliasesAt(facts, server),
    ...[server.a, server.aaaa, server.mx, server.txt, server.https].flatMap((other) =>
      recordsAt(facts, other),
    ),
  ];
  const [ttl] = records.map((record) => record.ttl);
  return {
    server: printable(server.server.host ?? server.server.address),
    address: printable(server.server.address),
    ...(lookup.exchange.kind === 'response' && { over: lookup.exchange.response.over }),
    response: responseText(lookup),
    ...(lookup.exchange.kind === 'failure' && {
      failure: lookup.isNotSent === true ? 'not-sent' : lookup.exchange.reason,
    }),
    ...(server.zoneSoa !== undefined && { serial: server.zoneSoa.serial }),
    records: textsOf(records),
    ...(ttl !== undefined && { ttl }),
  };
}

/** The view of a resolver in place of the name servers. */
function observedView(facts: Facts, label: string): ObservedResolver[] {
  return facts.servers.slice(0, 1).map((server) => {
    const { response, records } = observedServer(facts, server);
    return { resolver: printable(label), response, records };
  });
}

/** The lookup that decides the state of this server: a failed one, if the record is not there. */
function decisiveLookup({ zone }: Facts, { cname, a, aaaa }: ServerFacts): Lookup {
  const wanted = zone.kind === 'apex' ? [a, aaaa] : [cname, a, aaaa];
  const failed = wanted.find((lookup) => !isKnown(lookup));
  const [first = a] = wanted;
  return first.outcome === 'value'
    ? first
    : (failed ?? wanted.find(({ outcome }) => outcome === 'value') ?? first);
}

function observedResolver(facts: Facts, resolver: ResolverFacts): ObservedResolver {
  const { a, aaaa } = resolver;
  const view = resolverView(facts, resolver);
  const records = [...a.chain, ...aaaa.chain, ...a.records, ...aaaa.records];
  const decisive = [a, aaaa].find(({ outcome }) => outcome === 'value') ?? a;
  return {
    resolver: printable(resolver.label),
    response: responseText(decisive),
    records: textsOf(records),
    ...('remaining' in view && { remaining: view.remaining }),
  };
}

function responseText(lookup: Lookup): string {
  return printable(
    !isKnown(lookup) || lookup.exchange.kind === 'failure'
      ? failureText(lookup)
      : lookup.exchange.response.rcode,
  );
}

function textsOf(records: readonly DnsRecord[]): string[] {
  return distinct(records).map(({ data }) => shown(recordText(data)));
}
