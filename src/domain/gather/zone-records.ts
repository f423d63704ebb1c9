import type { DnssecFacts, SignedLookups, ZoneView, ServerFacts, ServerRecords } from './facts/facts.js';
import { acceptAbsence, referralIn, soaIn } from './facts/classify.js';
import { servesWithoutAuthority } from './views/own-records.js';
import type { Lookup } from './facts/lookup.js';
import type { DnsServer, RecordType } from '../dns/dns.js';
import type { CheckContext } from './check-context.js';

/** What is queried in a signed zone. */
export interface SignedName {
  name: string;
  type: RecordType;
  owner: DnssecFacts['owner'];
}

/**
 * Queries keys and signatures at every server of a zone. Returns nothing for a zone without DS records, which resolvers
 * do not validate.
 */
export async function querySignatures(
  context: CheckContext,
  zone: ZoneView,
  { name, type, owner }: SignedName,
): Promise<DnssecFacts[]> {
  const { ds } = zone;
  if (ds?.outcome !== 'value' || zone.isSilent) return [];
  const atServer = async (server: DnsServer): Promise<SignedLookups> => {
    const [dnskey, record] = await Promise.all([
      context.run.get('atServer', `DNSKEY ${server.address} ${zone.name}`, () =>
        context.queryServer(server, zone.name, 'DNSKEY', { dnssec: true }),
      ),
      context.queryServer(server, name, type, { dnssec: true }),
    ]);
    return { server, dnskey, record };
  };
  return [{ zone: zone.name, owner, ds, servers: await Promise.all(zone.servers.map(atServer)) }];
}

/**
 * Finds the DS records of a zone at a server of its parent. A referral to a query with the DO flag has them, if the
 * parent is signed and has any (RFC 4035, section 3.1.4).
 */
export function queryDs(
  context: CheckContext,
  parent: Lookup | undefined,
  zone: string,
): Promise<Lookup> | undefined {
  // A resolver that responded instead of the parent reveals nothing about the delegation.
  if (parent?.exchange.kind !== 'response' || parent.server.host === undefined) return undefined;
  const { response } = parent.exchange;
  if (response.withoutEdns === true || referralIn(parent.exchange)?.zone !== zone)
    return context.queryServer(parent.server, zone, 'DS');
  const records = response.authority.filter(
    ({ name, data }) => data.type === 'DS' && name.toLowerCase() === zone,
  );
  const outcome = records.length > 0 ? 'value' : 'nodata';
  return Promise.resolve({ ...parent, question: { name: zone, type: 'DS' }, outcome, records, chain: [] });
}

/** Remembers the SOA record of a zone if a response of its server has it, as the absence of a name does. */
export function learnSoa(context: CheckContext, zone: string, lookup: Lookup): void {
  const { server, exchange, outcome, chain } = lookup;
  const soa = soaIn(exchange);
  const isAbsence = (outcome === 'nodata' || outcome === 'nxdomain') && chain.length === 0;
  if (!isAbsence || soa?.name.toLowerCase() !== zone) return;
  const question = { name: zone, type: 'SOA' } as const;
  const known: Lookup = { question, server, exchange, outcome: 'value', records: [soa], chain };
  void context.run.get('atServer', keyOf(server, zone), () => Promise.resolve(known));
}

/** The SOA record of a zone at one of its servers, queried once. */
export function findSoa(context: CheckContext, zone: string, server: DnsServer): Promise<Lookup> {
  return context.run.get('atServer', keyOf(server, zone), () => context.queryServer(server, zone, 'SOA'));
}

/** Adds the SOA records that no other response had. */
export function addMissingSoa(
  context: CheckContext,
  zone: string,
  servers: readonly ServerRecords[],
): Promise<ServerFacts[]> {
  return Promise.all(
    servers.map(async (facts) =>
      acceptAbsences(withSoa(facts, facts.soa ?? (await findSoa(context, zone, facts.server)))),
    ),
  );
}

/** Accepts the absences of a server that has the zone, and never sets AA. */
function acceptAbsences(facts: ServerFacts): ServerFacts {
  if (!servesWithoutAuthority(facts)) return facts;
  const { cname, a, aaaa, mx, txt, https } = facts;
  return {
    ...facts,
    cname: acceptAbsence(cname),
    a: acceptAbsence(a),
    aaaa: acceptAbsence(aaaa),
    mx: acceptAbsence(mx),
    txt: acceptAbsence(txt),
    https: acceptAbsence(https),
  };
}

/** Adds an SOA lookup. */
export function withSoa<T extends object>(facts: T, soa: Lookup): T & Pick<ServerFacts, 'soa' | 'zoneSoa'> {
  const data = soa.records[0]?.data;
  return { ...facts, soa, zoneSoa: data?.type === 'SOA' ? data : undefined };
}

function keyOf({ address }: DnsServer, zone: string): string {
  return `SOA ${address} ${zone}`;
}
