import type { NearbyFacts, ServerFacts } from './facts.js';
import type { Inquiry } from './inquiry.js';
import type { DnsServer } from './resolver/dns.js';
import { parentOf } from './zone.js';

/** RFC 1035, section 2.3.4, without the final dot. */
const NAME_LENGTH_MAX = 253;

/**
 * Looks at the names around a subdomain that explain what was seen at it. Each is asked of one server of the zone, and
 * only where it can explain something: a wildcard where the domain has records, a name typed in full where it has none.
 */
export async function lookAround(
  inquiry: Inquiry,
  zone: string,
  name: string,
  servers: readonly ServerFacts[],
): Promise<Pick<NearbyFacts, 'wildcard' | 'doubled' | 'doubledControl'>> {
  const nothing = { wildcard: [], doubled: undefined, doubledControl: undefined };
  const answering = servers.filter(({ cname }) => cname.outcome !== 'could-not-ask');
  const asked = answering.map(({ server }) => server);
  if (name === zone || asked.length === 0) return nothing;
  if (answering.some(hasRecord)) return { ...nothing, wildcard: await lookForWildcard(inquiry, name, asked) };
  const doubled = `${name}.${zone}`;
  if (doubled.length > NAME_LENGTH_MAX) return nothing;
  const control = `${randomLabel(inquiry.random)}.${zone}.${zone}`;
  const [doubledLookup, doubledControl] = await Promise.all([
    inquiry.askAny(asked, doubled, 'CNAME'),
    inquiry.askAny(asked, control, 'CNAME'),
  ]);
  return { wildcard: [], doubled: doubledLookup, doubledControl };
}

/** Asks for a name beside the domain that nobody has. Once for all domains with the same parent. */
function lookForWildcard(
  inquiry: Inquiry,
  name: string,
  servers: readonly DnsServer[],
): Promise<NearbyFacts['wildcard']> {
  const parent = parentOf(name);
  return inquiry.wildcards.get(parent, async () => {
    const sibling = `${randomLabel(inquiry.random)}.${parent}`;
    const lookups = await Promise.all([
      inquiry.askAny(servers, sibling, 'CNAME'),
      inquiry.askAny(servers, sibling, 'A'),
    ]);
    return lookups.filter((lookup) => lookup !== undefined);
  });
}

function hasRecord({ cname, a, aaaa }: ServerFacts): boolean {
  return [cname, a, aaaa].some(({ outcome, chain }) => outcome === 'value' || chain.length > 0);
}

/** A label that nobody has: 60 bits by chance. */
function randomLabel(random: () => number): string {
  return Array.from({ length: 12 }, () => Math.floor(random() * 32).toString(32)).join('');
}
