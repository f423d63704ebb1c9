import { queryZoneOrResolver } from './alias-walk.js';
import type { ChainStep, RelatedNames, ServerFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** Longer chains than this no resolver follows. */
const STEPS_MAX = 16;

/**
 * Follows the domain's CNAME hop by hop: first what the zone's servers showed, then by asking whoever is responsible for
 * the next name. Ends at the target, at a name seen before, or where no alias is.
 */
export async function followChain(
  context: CheckContext,
  servers: readonly ServerFacts[],
  target: string,
): Promise<Pick<RelatedNames, 'chain' | 'chainEnd'>> {
  const steps = knownSteps(servers, target);
  const seen = new Set(steps.map(({ from }) => from));
  let last = steps.at(-1);
  while (last !== undefined && last.to !== target && !seen.has(last.to) && steps.length < STEPS_MAX) {
    seen.add(last.to);
    const lookup = await queryZoneOrResolver(context, last.to, 'CNAME');
    last = lookup?.records.map((record) => stepOf(record, lookup.server))[0];
    if (last !== undefined) steps.push(last);
    else if (lookup !== undefined) return { chain: steps, chainEnd: lookup };
  }
  return { chain: steps };
}

/** The aliases in the answers of the first server that shows one, up to the target. */
function knownSteps(servers: readonly ServerFacts[], target: string): ChainStep[] {
  const shown = servers.find(({ cname }) => cname.outcome === 'value');
  if (shown === undefined) return [];
  const stepHere = (record: DnsRecord): ChainStep => stepOf(record, shown.server);
  const first = shown.cname.records.slice(0, 1).map(stepHere);
  const chain = shown.a.chain.map(stepHere);
  const steps = chain[0]?.to === first[0]?.to ? chain : first;
  const end = steps.findIndex(({ to }) => to === target);
  return end === -1 ? steps : steps.slice(0, end + 1);
}

function stepOf(record: DnsRecord, server: DnsServer): ChainStep {
  const to = record.data.type === 'CNAME' ? record.data.target.toLowerCase() : '';
  return { from: record.name.toLowerCase(), to, ttl: record.ttl, server };
}
