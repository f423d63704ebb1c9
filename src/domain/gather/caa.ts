import { walkAliases } from './alias-walk.js';
import { isWithin, targetOf } from '../facts/classify.js';
import type { CaaFacts, ServerFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { DnsQuestion, DnsServer } from '../resolver/dns.js';
import { parentOf } from './zone.js';
import type { ZoneView } from '../facts/zone-view.js';

/**
 * Climbs as a certificate authority does (RFC 8659, section 3): the domain, then each parent up to the top-level domain,
 * until one has CAA records. A step that could not be asked stays in the climb, since an authority refuses because of it.
 *
 * Names in the zone are asked of its servers, and aliases are followed from server to server, so that no resolver hears of
 * the domain. Names above the zone exist, and go to a resolver.
 */
export async function climbCaaTree(
  context: CheckContext,
  zone: ZoneView,
  name: string,
  servers: readonly ServerFacts[],
): Promise<Omit<CaaFacts, 'issuer'>> {
  // Without servers there is no name to climb from.
  if (servers.length === 0) return { steps: [], owner: undefined, records: [] };
  const answering = servers.filter(({ cname }) => isKnown(cname)).map(({ server }) => server);
  const askAt = (at: string): Promise<Lookup | undefined> => throughAlias(context, at, answering);
  const steps: { name: string; lookup: Lookup }[] = [];
  for (let at = name; at !== ''; at = parentOf(at)) {
    const lookup = !isWithin(at, zone.name)
      ? await context.resolve(at, 'CAA')
      : answering.length === 0
        ? unaskable(servers, at)
        : await (at === name ? askAt(at) : context.caaLookups.get(at, () => askAt(at)));
    if (lookup === undefined) continue;
    steps.push({ name: at, lookup });
    if (lookup.records.length > 0) return { steps, owner: at, records: lookup.records };
  }
  return { steps, owner: undefined, records: [] };
}

/** What a server that can't be asked for anything says of CAA. */
function unaskable(servers: readonly ServerFacts[], at: string): Lookup | undefined {
  const [first] = servers;
  return first === undefined ? undefined : { ...first.cname, question: { name: at, type: 'CAA' } };
}

async function throughAlias(
  context: CheckContext,
  at: string,
  servers: readonly DnsServer[],
): Promise<Lookup | undefined> {
  const lookup = await context.queryAny(servers, at, 'CAA');
  const end = targetOf(lookup?.chain.at(-1));
  if (lookup === undefined || lookup.records.length > 0) return lookup;
  // In a loop, the end is a name that was passed already.
  if (end === undefined || lookup.chain.some((record) => record.name.toLowerCase() === end)) return lookup;
  const beyond = await context.caaLookups.get(end, () => walkAliases(context, end, 'CAA'));
  if (beyond === undefined) return lookup;
  return { ...beyond, question: lastQuestion(beyond), chain: [...lookup.chain, ...beyond.chain] };
}

/** What the last server on the way was asked: the name at which its own part of the chain begins, or the chain's end. */
function lastQuestion({ question, exchange, chain }: Lookup): DnsQuestion {
  const answers = exchange.kind === 'response' ? exchange.response.answers : [];
  const first = chain.find((record) => answers.includes(record));
  return { ...question, name: first?.name ?? targetOf(chain.at(-1)) ?? question.name };
}
