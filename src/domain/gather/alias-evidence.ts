import { addressesIn } from '../facts/classify.js';
import type { ServerRecords, TargetFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import { queryTargetAgain } from './target.js';

/** Time between two queries whose TTLs are compared. TTLs are whole seconds, so one second may not show. */
const COUNT_DOWN_MS = 2_000;

/** Returns which addresses serve the target's own certificate. */
export type FindServingTarget = (addresses: readonly string[]) => Promise<readonly string[]>;

/** What to compare with the records of the domain. */
export interface AliasTarget {
  /** Host name. */
  target: string;
  platform: TargetFacts;
  /** Absent if certificates are not checked. */
  findServingTarget?: FindServingTarget | undefined;
}

/** The records of the servers and the target, with the evidence for an ALIAS. */
export interface AliasFacts {
  servers: readonly ServerRecords[];
  platform: TargetFacts;
}

/**
 * Looks for evidence that the domain's addresses come from an ALIAS, which DNS does not show. Queries A again two seconds
 * later: a TTL that counted down proves an ALIAS. The target of a CDN returns other addresses in each response, so its
 * addresses are queried again too, and then compared by certificate.
 */
export async function gatherAliasEvidence(
  context: CheckContext,
  servers: readonly ServerRecords[],
  { target, platform, findServingTarget }: AliasTarget,
): Promise<AliasFacts> {
  const repeated = await repeatAddressQueries(context, servers, platform);
  if (foreignAddresses(servers, platform).length === 0) return { servers: repeated, platform };
  const again = await queryTargetAgain(context, target, platform);
  const foreign = foreignAddresses(servers, again);
  if (foreign.length === 0 || findServingTarget === undefined) return { servers: repeated, platform: again };
  const serving = await findServingTarget(foreign);
  if (serving.length === 0) return { servers: repeated, platform: again };
  const addresses = [...again.addresses, ...serving];
  return { servers: repeated, platform: { ...again, addresses, byCertificate: serving } };
}

async function repeatAddressQueries(
  context: CheckContext,
  servers: readonly ServerRecords[],
  platform: TargetFacts,
): Promise<readonly ServerRecords[]> {
  if (!servers.some((server) => mayCountDown(server, platform))) return servers;
  await context.pause(COUNT_DOWN_MS);
  return Promise.all(
    servers.map(async (facts) => {
      if (!mayCountDown(facts, platform)) return facts;
      const { name, type } = facts.a.question;
      return { ...facts, aRepeated: await context.queryServer(facts.server, name, type) };
    }),
  );
}

/**
 * Whether the addresses may be an ALIAS: those of the target, or others whose TTL is not above the target's. A provider
 * resolves an ALIAS, so its TTL starts with the target's.
 */
function mayCountDown({ a }: ServerRecords, platform: TargetFacts): boolean {
  const { addresses, ttl } = platform;
  if (a.chain.length > 0 || a.outcome !== 'value' || addresses.length === 0) return false;
  const isTargets = addressesIn(a.records).every((address) => addresses.includes(address));
  return isTargets || (ttl !== undefined && a.records.every((record) => record.ttl <= ttl));
}

/** Addresses of the domain that are not the target's. */
function foreignAddresses(servers: readonly ServerRecords[], { addresses }: TargetFacts): string[] {
  if (addresses.length === 0) return [];
  const own = servers.flatMap(({ a, aaaa }) =>
    [a, aaaa].flatMap(({ chain, records }) => (chain.length === 0 ? addressesIn(records) : [])),
  );
  return [...new Set(own)].filter((address) => !addresses.includes(address));
}
