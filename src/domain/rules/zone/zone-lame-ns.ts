import { digCommand, evidenceOf, serverText, failureText } from '../../views/evidence.js';
import type { Facts, ServerFacts, ZoneFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Severity } from '../../finding/finding.js';
import type { Lookup } from '../../facts/lookup.js';
import { listed } from '../../finding/printable.js';
import { delegatedServers, reachedServers } from '../../views/server-view.js';

/**
 * `zone.lame-ns`: name servers that are listed for the zone and do not serve it, or have no address. SERVFAIL alone does not
 * tell whether the zone is there: nothing is known then.
 */
export function zoneLameNs(facts: Facts): Finding[] {
  const refusals = facts.servers.flatMap((server) => {
    const refusal = refusalOf(server);
    return refusal === undefined ? [] : [{ server, refusal }];
  });
  const homeless = facts.servers.length === 0 ? [] : facts.zone.unresolvedHosts;
  if (refusals.length + homeless.length === 0) return [];
  const words = [
    ...refusals.map(({ server, refusal }) => `${serverText(server.server)} says ${failureText(refusal)}`),
    ...homeless.map((host) => `${host} has no address`),
  ];
  const isAll =
    refusals.length > 0 && delegatedServers(facts).every((server) => refusalOf(server) !== undefined);
  const isIntercepted = isAll && refusals.every(({ refusal }) => looksIntercepted(refusal));
  const isFailing = isAll && refusals.some(({ refusal }) => isFailure(refusal));
  const texts = isIntercepted
    ? interceptedTexts(facts)
    : isFailing
      ? failingTexts(facts, words)
      : lameTexts(facts, words, isAll);
  return [
    {
      id: 'zone.lame-ns',
      axis: 'zone',
      severity: isIntercepted || isFailing ? 'unknown' : severityOf(facts, isAll),
      message: texts.message,
      fix: { action: 'other', text: texts.fix, records: [] },
      evidence: [
        ...refusals.map(({ refusal }) => evidenceOf(refusal)),
        ...homeless.map((host): Evidence => ({
          text: `${host}: no address`,
          command: digCommand(undefined, host, 'A'),
        })),
      ],
    },
  ];
}

interface Texts {
  message: string;
  fix: string;
}

function interceptedTexts({ zone }: Facts): Texts {
  return {
    message: `Your network seems to answer DNS itself, so the servers of ${zone.name} can't be seen from here.`,
    fix: 'Try again with --doh and the address of a resolver that speaks DNS over HTTPS.',
  };
}

function failingTexts({ zone }: Facts, words: readonly string[]): Texts {
  return {
    message:
      `No name server of ${zone.name} can answer for it now: ${listed(words)}. SERVFAIL is an outage, a secondary whose copy has ` +
      "run out, or a zone that is not there; which of these can't be told from outside.",
    fix: `Try again in some minutes; if it stays so, ask the provider of these servers whether they have the zone ${zone.name}.`,
  };
}

function lameTexts({ zone }: Facts, words: readonly string[], isAll: boolean): Texts {
  return {
    message: `${isAll ? 'No' : 'Not every'} name server of ${zone.name} serves it: ${listed(words)}.`,
    fix: `At the provider of ${isAll ? 'these servers' : 'this server'} add the zone ${zone.name}, or remove the server from the list ${listKeeper(zone)}.`,
  };
}

/** Where the list of a zone's servers is kept: of a sub-zone, that is whoever has the zone above it. */
export function listKeeper({ name, registrable }: Pick<ZoneFacts, 'name' | 'registrable'>): string {
  return name === registrable ? 'at your registrar' : `in the zone above ${name}, at its DNS provider`;
}

/**
 * The answer by which a server shows that it does not serve the zone. SERVFAIL for addresses alone, beside a good start
 * of authority, is an apex ALIAS whose target fails: `apex.alias-broken`.
 */
function refusalOf(server: ServerFacts): Lookup | undefined {
  return [server.soa, server.cname].find(
    (lookup) => lookup.outcome === 'failed' && lookup.exchange.kind === 'response',
  );
}

function severityOf(facts: Facts, isAll: boolean): Severity {
  return isAll && reachedServers(facts).length === 0 ? 'block' : 'warn';
}

function isFailure({ exchange }: Lookup): boolean {
  return exchange.kind === 'response' && exchange.response.rcode === 'SERVFAIL';
}

/** A resolver in the path answers in the servers' place: recursion offered, no authority. */
function looksIntercepted({ exchange }: Lookup): boolean {
  if (exchange.kind !== 'response') return false;
  const { rcode, authoritative, recursionAvailable } = exchange.response;
  return recursionAvailable && !authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN');
}
