import { addressesIn } from '../facts/classify.js';
import type { ServerFacts, TargetFacts, ZoneView } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import type { DnsServer, RecordType } from '../resolver/dns.js';
import type { CheckContext } from './check-context.js';

/** Time between two queries whose TTLs are compared. TTLs are whole seconds, so one second may not show. */
const COUNT_DOWN_MS = 2_000;

/** Queries every server of the zone for the expected record and for records that may conflict with it. */
export function queryServers(context: CheckContext, zone: ZoneView, name: string): Promise<ServerFacts[]> {
  return Promise.all(zone.servers.map((server) => queryAllTypes(context, server, zone, name)));
}

async function queryAllTypes(
  context: CheckContext,
  server: DnsServer,
  zone: ZoneView,
  name: string,
): Promise<ServerFacts> {
  const queryZone = (type: 'SOA' | 'NS'): Promise<Lookup> =>
    context.zoneLookups.get(`${type} ${server.address} ${zone.name}`, () =>
      context.queryServer(server, zone.name, type),
    );
  const soa = await queryZone('SOA');
  // A server that does not respond about its own zone would cost six more time-outs.
  const query = (type: RecordType): Promise<Lookup> =>
    soa.exchange.kind === 'failure'
      ? Promise.resolve({ ...soa, question: { name, type } })
      : context.queryServer(server, name, type);
  const isDisputed = zone.ownHosts.length > 0 && zone.ownHosts.join() !== zone.parentHosts.join();
  const needsNs = isDisputed && soa.exchange.kind === 'response';
  const [ns, cname, a, aaaa, mx, txt, https] = await Promise.all([
    needsNs ? queryZone('NS') : undefined,
    query('CNAME'),
    query('A'),
    query('AAAA'),
    query('MX'),
    query('TXT'),
    query('HTTPS'),
  ]);
  const soaData = soa.records[0]?.data;
  const zoneSoa = soaData?.type === 'SOA' ? soaData : undefined;
  return {
    server,
    soa,
    zoneSoa,
    ...(ns !== undefined && { ns }),
    cname,
    a,
    aaaa,
    mx,
    txt,
    https,
    aRepeated: undefined,
  };
}

/**
 * Queries A again, two seconds later, at the servers whose addresses are the target's. A TTL that counted down proves
 * an ALIAS, which is not visible otherwise.
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
