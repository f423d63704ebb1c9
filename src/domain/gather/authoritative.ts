import { addressesIn } from '../facts/classify.js';
import type { ServerFacts, TargetFacts } from '../facts/facts.js';
import type { Inquiry } from './inquiry.js';
import type { Lookup } from '../facts/lookup.js';
import type { DnsServer, RecordType } from '../resolver/dns.js';
import type { ZoneView } from '../facts/zone-view.js';

/** Between two questions whose TTLs are compared: a TTL counts whole seconds, so that one could hide. */
const COUNT_DOWN_MS = 2_000;

/** Asks every server of the zone for the name: what should be there, and what may be in the way. */
export function askServers(inquiry: Inquiry, zone: ZoneView, name: string): Promise<ServerFacts[]> {
  return Promise.all(zone.servers.map((server) => askServer(inquiry, server, zone, name)));
}

async function askServer(
  inquiry: Inquiry,
  server: DnsServer,
  zone: ZoneView,
  name: string,
): Promise<ServerFacts> {
  const askOfZone = (type: 'SOA' | 'NS'): Promise<Lookup> =>
    inquiry.ofZones.get(`${type} ${server.address} ${zone.name}`, () => inquiry.ask(server, zone.name, type));
  const soa = await askOfZone('SOA');
  // A server that is silent on its own zone is not asked six times more, to be waited for each time.
  const ask = (type: RecordType): Promise<Lookup> =>
    soa.exchange.kind === 'silence'
      ? Promise.resolve({ ...soa, question: { name, type } })
      : inquiry.ask(server, name, type);
  const isDisputed = zone.ownHosts.length > 0 && zone.ownHosts.join() !== zone.parentHosts.join();
  const isListAsked = isDisputed && soa.exchange.kind === 'reply';
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
  return { ...told, cname, a, aaaa, mx, txt, https, aAgain: undefined };
}

/**
 * Asks again for A, two seconds later, wherever the addresses at the name itself are the target's: a TTL that has counted
 * down proves an ALIAS, which is not on the wire otherwise.
 */
export async function askAgain(
  inquiry: Inquiry,
  servers: readonly ServerFacts[],
  platform: TargetFacts,
): Promise<readonly ServerFacts[]> {
  if (!servers.some((server) => mayBeAlias(server, platform))) return servers;
  await inquiry.rest(COUNT_DOWN_MS);
  return Promise.all(
    servers.map(async (facts) => {
      if (!mayBeAlias(facts, platform)) return facts;
      const { name, type } = facts.a.question;
      return { ...facts, aAgain: await inquiry.ask(facts.server, name, type) };
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
