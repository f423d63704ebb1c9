import { soaIn } from '../../facts/classify.js';
import type { ServerFacts, ServerRecords } from '../../facts/facts.js';
import type { Lookup } from '../../facts/lookup.js';
import type { DnsServer } from '../../resolver/dns.js';
import type { CheckContext } from '../check-context.js';

/** Remembers the SOA record of a zone if a response of its server has it, as the absence of a name does. */
export function learnSoa(context: CheckContext, zone: string, lookup: Lookup): void {
  const { server, exchange, outcome, chain } = lookup;
  const soa = soaIn(exchange);
  const isAbsence = (outcome === 'nodata' || outcome === 'nxdomain') && chain.length === 0;
  if (!isAbsence || soa?.name.toLowerCase() !== zone) return;
  const question = { name: zone, type: 'SOA' } as const;
  const known: Lookup = { question, server, exchange, outcome: 'value', records: [soa], chain };
  void context.zoneLookups.get(keyOf(server, zone), () => Promise.resolve(known));
}

/** The SOA record of a zone at one of its servers, queried once. */
export function findSoa(context: CheckContext, zone: string, server: DnsServer): Promise<Lookup> {
  return context.zoneLookups.get(keyOf(server, zone), () => context.queryServer(server, zone, 'SOA'));
}

/** Adds the SOA records that no other response had. */
export function addMissingSoa(
  context: CheckContext,
  zone: string,
  servers: readonly ServerRecords[],
): Promise<ServerFacts[]> {
  return Promise.all(
    servers.map(async (facts) => withSoa(facts, facts.soa ?? (await findSoa(context, zone, facts.server)))),
  );
}

/** Adds an SOA lookup. */
export function withSoa<T extends object>(facts: T, soa: Lookup): T & Pick<ServerFacts, 'soa' | 'zoneSoa'> {
  const data = soa.records[0]?.data;
  return { ...facts, soa, zoneSoa: data?.type === 'SOA' ? data : undefined };
}

function keyOf({ address }: DnsServer, zone: string): string {
  return `SOA ${address} ${zone}`;
}
