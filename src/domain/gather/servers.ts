import { targetOf } from './facts/classify.js';
import type { Facts, ServerFacts, ServerRecords, ZoneView } from './facts/facts.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { DnsServer, RecordType } from '../dns/dns.js';
import type { CheckContext } from './check-context.js';
import { hasSameRecords } from './views/own-records.js';
import { decisiveServers, laggingServers } from './views/server-view.js';
import { findSoa, withSoa } from './zone-records.js';

/** What to query at each server. */
export interface ServerQueries {
  zone: ZoneView;
  name: string;
  /** Whether to query every type at every server, also next to an alias. */
  isThorough: boolean;
}

/**
 * Queries every server of the zone for the expected record and for records that may conflict with it. If the name is an
 * alias, every response shows it, so the types are spread over the servers. At an apex, one of several equal copies is
 * queried for the types other than addresses.
 *
 * @returns Without SOA records where another response may still bring them.
 */
export async function queryServers(context: CheckContext, queries: ServerQueries): Promise<ServerRecords[]> {
  const { zone, name, isThorough } = queries;
  const spares = zone.servers.map((server) => context.spareLookups.take(server, name, 'A'));
  const lead = isThorough || isDisputed(zone) ? undefined : spares.find(hasAlias);
  if (lead !== undefined) return queryAroundAlias(context, queries, lead);
  if (name === zone.name && !isThorough && !isDisputed(zone) && !zone.isSilent)
    return queryCopies(context, queries);
  return Promise.all(
    zone.servers.map(async (server, index) => {
      const silence = zone.isSilent ? context.silenceOf(server) : undefined;
      if (silence !== undefined) return failedAt(silence, queries);
      return queryAllTypes(context, server, queries, spares[index]);
    }),
  );
}

/** Queries an apex: its addresses at every server, and the other types at one of those with the same SOA record. */
async function queryCopies(context: CheckContext, queries: ServerQueries): Promise<ServerRecords[]> {
  const { zone, name } = queries;
  const all = await Promise.all(
    zone.servers.map(async (server) => ({ server, soa: await findSoa(context, zone.name, server) })),
  );
  const lead = all.find(({ soa }) => soa.outcome === 'value');
  const first = lead && queryAllTypes(context, lead.server, queries);
  return Promise.all(
    all.map(async ({ server, soa }) => {
      if (lead === undefined || first === undefined || !hasSameRecords(soa, lead.soa))
        return queryAllTypes(context, server, queries);
      if (server === lead.server) return first;
      const [a, aaaa, shared] = await Promise.all([
        context.queryServer(server, name, 'A'),
        context.queryServer(server, name, 'AAAA'),
        first,
      ]);
      // A server that responds only for addresses, or that shows an alias, is a reason to query each one.
      const isShared = [shared.cname, shared.mx, shared.txt, shared.https].every(isKnown);
      if (!isShared || hasAlias(a) || shared.cname.outcome === 'value')
        return queryAllTypes(context, server, queries, a);
      return withSoa({ ...shared, server, a, aaaa }, soa);
    }),
  );
}

function hasAlias(lookup: Lookup | undefined): lookup is Lookup {
  return isKnown(lookup) && lookup.chain.length > 0;
}

function isSameAlias(one: Lookup, other: Lookup): boolean {
  return hasAlias(one) && targetOf(one.chain[0]) === targetOf(other.chain[0]);
}

/** Whether the parent and the zone list different name servers. */
function isDisputed({ ownHosts, parentHosts }: ZoneView): boolean {
  return ownHosts.length > 0 && ownHosts.join() !== parentHosts.join();
}

/**
 * Queries what may conflict with the alias in a response: CNAME and less common types at its server, AAAA at the others.
 * Some servers return all of several CNAMEs only for CNAME. A server without that alias is queried for every type.
 */
async function queryAroundAlias(
  context: CheckContext,
  queries: ServerQueries,
  a: Lookup,
): Promise<ServerRecords[]> {
  const { server: lead, question } = a;
  const others = queries.zone.servers.filter((server) => server !== lead);
  const query = (type: RecordType): Promise<Lookup> => context.queryServer(lead, question.name, type);
  const [cname, mx, txt, https, ownAaaa, ...around] = await Promise.all([
    query('CNAME'),
    query('MX'),
    query('TXT'),
    query('HTTPS'),
    others.length === 0 ? query('AAAA') : undefined,
    ...others.map((server) => queryAlias(context, server, queries)),
  ]);
  if (cname.records.length > 1)
    return Promise.all(queries.zone.servers.map((server) => queryAllTypes(context, server, queries)));
  // Copies of a zone have the same records, so what one server has counts for all.
  const shared = { a, mx, txt, https, aRepeated: undefined };
  // A server with another record shows nothing about this one.
  const copies = around.filter((one) => isSameAlias(one.aaaa, a));
  const isDivided = copies.length < around.filter((one) => isKnown(one.aaaa)).length;
  const aaaa = ownAaaa ??
    copies[0]?.aaaa ??
    (isDivided ? await query('AAAA') : undefined) ?? {
      ...a,
      question: { ...question, type: 'AAAA' as const },
      outcome: 'nodata' as const,
      records: [],
    };
  const records = await Promise.all(
    around.map(async ({ aaaa: response, soa }): Promise<ServerRecords> => {
      const { server } = response;
      if (response.exchange.kind === 'failure') return failedAt(response, queries);
      if (!isSameAlias(response, a)) return queryAllTypes(context, server, queries);
      const own = { server, cname: aliasIn(response), aaaa: response };
      return soa === undefined ? { ...own, ...shared } : withSoa({ ...own, ...shared }, soa);
    }),
  );
  const first: ServerRecords = { server: lead, cname: isKnown(cname) ? cname : aliasIn(a), aaaa, ...shared };
  return queries.zone.servers.map((server) => records.find((one) => one.server === server) ?? first);
}

/** Queries AAAA at the server whose record is known from the others' responses. */
export function queryMissingAaaa(
  context: CheckContext,
  servers: readonly ServerFacts[],
): Promise<ServerFacts[]> {
  return Promise.all(
    servers.map(async (facts) => {
      const { server, aaaa } = facts;
      return aaaa.server === server
        ? facts
        : { ...facts, aaaa: await context.queryServer(server, aaaa.question.name, 'AAAA') };
    }),
  );
}

/**
 * Queries the ALIAS itself at servers that return no address although their copy of the zone is as new as that of a server
 * which does: a transfer may have brought it to a server that does not know it.
 */
export async function queryTransferredAlias(context: CheckContext, facts: Facts): Promise<Facts> {
  const right = decisiveServers(facts).map(({ zoneSoa }) => zoneSoa?.serial);
  const lagging = laggingServers(facts).filter(
    ({ a, zoneSoa }) => a.outcome === 'nodata' && a.chain.length === 0 && right.includes(zoneSoa?.serial),
  );
  const servers = facts.servers.map(async (server) =>
    lagging.includes(server)
      ? { ...server, alias: await context.queryServer(server.server, facts.domain.ascii, 'TYPE65401') }
      : server,
  );
  return lagging.length === 0 ? facts : { ...facts, servers: await Promise.all(servers) };
}

async function queryAlias(
  context: CheckContext,
  server: DnsServer,
  { zone, name }: ServerQueries,
): Promise<{ aaaa: Lookup; soa: Lookup | undefined }> {
  // The SOA record of the last server comes with the search for a wildcard.
  const isLast = server === zone.servers.at(-1);
  const [aaaa, soa] = await Promise.all([
    context.queryServer(server, name, 'AAAA'),
    isLast ? undefined : findSoa(context, zone.name, server),
  ]);
  return { aaaa, soa };
}

/** The CNAME lookup that a response with an alias makes unnecessary. */
function aliasIn(lookup: Lookup): Lookup {
  const { question, exchange } = lookup;
  const answers = exchange.kind === 'response' ? exchange.response.answers : [];
  const records = answers.filter(
    ({ name, data }) => data.type === 'CNAME' && name.toLowerCase() === question.name,
  );
  return { ...lookup, question: { ...question, type: 'CNAME' }, outcome: 'value', records, chain: [] };
}

/** The facts of a server that did not respond to one query. Others would cost as many time-outs. */
function failedAt(failed: Lookup, { zone, name }: ServerQueries): ServerFacts {
  const as = (type: RecordType, of = name): Lookup => ({ ...failed, question: { name: of, type } });
  return {
    server: failed.server,
    soa: as('SOA', zone.name),
    zoneSoa: undefined,
    cname: as('CNAME'),
    a: as('A'),
    aaaa: as('AAAA'),
    mx: as('MX'),
    txt: as('TXT'),
    https: as('HTTPS'),
    aRepeated: undefined,
  };
}

async function queryAllTypes(
  context: CheckContext,
  server: DnsServer,
  queries: ServerQueries,
  spare?: Lookup,
): Promise<ServerFacts> {
  const { zone, name } = queries;
  const soa = await findSoa(context, zone.name, server);
  if (soa.exchange.kind === 'failure') return failedAt(soa, queries);
  const query = (type: RecordType): Promise<Lookup> => context.queryServer(server, name, type);
  const [cname, a, aaaa, mx, txt, https] = await Promise.all([
    query('CNAME'),
    spare ?? query('A'),
    query('AAAA'),
    query('MX'),
    query('TXT'),
    query('HTTPS'),
  ]);
  return withSoa({ server, cname, a, aaaa, mx, txt, https, aRepeated: undefined }, soa);
}
