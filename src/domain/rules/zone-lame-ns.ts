import { digCommand, evidenceOf, serverText, troubleOf } from '../evidence.js';
import type { Facts, ServerFacts, ZoneFacts } from '../facts.js';
import type { Evidence, Finding, Severity } from '../finding.js';
import type { Lookup } from '../lookup.js';
import { listed } from '../printable.js';
import { delegatedServers, reachedServers } from '../server-view.js';

/** `zone.lame-ns`: name servers that are listed for the zone and do not serve it, or have no address. */
export function zoneLameNs(facts: Facts): Finding[] {
  const refusals = facts.servers.flatMap((server) => {
    const refusal = refusalOf(server);
    return refusal === undefined ? [] : [{ server, refusal }];
  });
  const homeless = facts.servers.length === 0 ? [] : facts.zone.unresolvedHosts;
  if (refusals.length + homeless.length === 0) return [];
  const words = [
    ...refusals.map(({ server, refusal }) => `${serverText(server.server)} says ${troubleOf(refusal)}`),
    ...homeless.map((host) => `${host} has no address`),
  ];
  const isAll =
    refusals.length > 0 && delegatedServers(facts).every((server) => refusalOf(server) !== undefined);
  const isIntercepted = isAll && refusals.every(({ refusal }) => looksIntercepted(refusal));
  return [
    {
      id: 'zone.lame-ns',
      axis: 'zone',
      severity: isIntercepted ? 'unknown' : severityOf(facts, isAll),
      message: isIntercepted
        ? `Your network seems to answer DNS itself, so the servers of ${facts.zone.name} can't be seen from here.`
        : `${isAll ? 'No' : 'Not every'} name server of ${facts.zone.name} serves it: ${listed(words)}.`,
      fix: {
        action: 'other',
        text: isIntercepted
          ? 'Try again with --doh and the address of a resolver that speaks DNS over HTTPS.'
          : `At the provider of ${isAll ? 'these servers' : 'this server'} add the zone ${facts.zone.name}, or remove the server from the list ${listKeeper(facts.zone)}.`,
        records: [],
      },
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
    (lookup) => lookup.outcome === 'could-not-ask' && lookup.exchange.kind === 'reply',
  );
}

function severityOf(facts: Facts, isAll: boolean): Severity {
  return isAll && reachedServers(facts).length === 0 ? 'block' : 'warn';
}

/** A resolver in the path answers in the servers' place: recursion offered, no authority. */
function looksIntercepted({ exchange }: Lookup): boolean {
  if (exchange.kind !== 'reply') return false;
  const { rcode, authoritative, recursionAvailable } = exchange.reply;
  return recursionAvailable && !authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN');
}
