import { addressesIn } from '../facts/classify.js';
import type { ServerFacts, TargetFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import type { Lookup } from '../facts/lookup.js';
import type { DnsServer, RecordType } from '../resolver/dns.js';
import type { ZoneView } from '../facts/zone-view.js';

/** Between two questions whose TTLs are compared: a TTL counts whole seconds, so that one could hide. */
const COUNT_DOWN_MS = 2_000;

/** Asks every server of the zone for the name: what should be there, and what may be in the way. */
export function queryServers(context: CheckContext, zone: ZoneView, name: string): Promise<ServerFacts[]> {
  return Promise.all(zone.servers.map((server) => queryAllTypes(context, server, zone, name)));
}

async function queryAllTypes(
  context: CheckContext,
  server: DnsServer,
  zone: ZoneView,
  name: string,
): Promise<ServerFacts> {
  const askOfZone = (type: 'SOA' | 'NS'): Promise<Lookup> =>
    context.zoneLookups.get(`${type} ${server.address} ${zone.name}`, () =>
      context.queryServer(server, zone.name, type),
    );
  const soa = await askOfZone('SOA');
  // A server that is silent on its own zone is not asked six times more, to be waited for each time.
  const ask = (type: RecordType): Promise<Lookup> =>
    soa.exchange.kind === 'failure'
      ? Promise.resolve({ ...soa, question: { name, type } })
      : context.queryServer(server, name, type);
  const isDisputed = zone.ownHosts.length > 0 && zone.ownHosts.join() !== zone.parentHosts.join();
  const isListAsked = isDisputed && soa.exchange.kind === 'response';
  const [ns, cname, a, aaaa, mx, txt, https] = await Promise.all([
    isListAsked ? askOfZone('NS') : undefined,
    ask('CNAME'),
    ask('A'),
    ask('AAAA'),
    ask('MX'),
    ask('TXT'),
    ask('HTTPS'),
  ]);
  const start = soa.records[0]?.data;
  const zoneSoa = start?.type === 'SOA' ? start : undefined;
  const told = { server, soa, zoneSoa, ...(ns !== undefined && { ns }) };
  return { ...told, cname, a, aaaa, mx, txt, https, aRepeated: undefined };
}

/**
 * Asks again for A, two seconds later, wherever the addresses at the name itself are the target's: a TTL that has counted
 * down proves an ALIAS, which is not on the wire otherwise.
 */
export async function repeatAddressQueries(
  context: CheckContext,
  servers: readonly ServerFacts[],
  platform: TargetFacts,
): Promise<readonly ServerFacts[]> {
  if (!servers.some((server) => mayBeAlias(server, platform))) return servers;
  await context.pause(COUNT_DOWN_MS);
  return Promise.all(
    servers.map(async (facts) => {
      if (!mayBeAlias(facts, platform)) return facts;
      const { name, type } = facts.a.question;
      return { ...facts, aRepeated: await context.queryServer(facts.server, name, type) };
    }),
  );
}

function mayBeAlias({ a }: ServerFacts, platform: TargetFacts): boolean {
  const addresses = addressesIn(a.records);
  return (
    a.chain.length === 0 &&
    addresses.length > 0 &&
    addresses.every((address) => platform.addresses.includes(address))
  );
}
