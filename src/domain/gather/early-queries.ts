import { isWithin } from './facts/classify.js';
import { registrableOf } from '../names/name.js';
import type { RecordType } from '../dns/dns.js';
import { findCaaAbove } from './climb-caa-tree.js';
import type { CheckContext } from './check-context.js';
import { querySibling } from './related-names.js';
import { delegatedZone } from './zone.js';
import { parentOf } from './zone-cut.js';
import { findSoa } from './zone-records.js';

/**
 * Sends the queries that a healthy domain needs together with the one for the zone's own name servers, which saves
 * rounds. All go to servers that the parent lists, so no resolver caches the absence of the name.
 */
export async function startQueries(context: CheckContext, name: string, checksCaa: boolean): Promise<void> {
  const { zone: delegated, failedParent } = await delegatedZone(context, registrableOf(name));
  const servers = delegated.servers.filter((server) => context.silenceOf(server) === undefined);
  const [first, ...others] = servers;
  // If the parent's servers failed, a resolver may respond in place of the zone's servers.
  if (first === undefined || failedParent !== undefined) return;
  const { name: zone } = delegated;
  for (const type of ['CNAME', 'MX', 'TXT', 'HTTPS'] as const) context.startQuery(first, name, type);
  if (checksCaa) context.startQuery(first, name, 'CAA');
  if (name === zone) {
    for (const server of servers) {
      void findSoa(context, zone, server);
      context.startQuery(server, name, 'A');
      context.startQuery(server, name, 'AAAA');
    }
    return;
  }
  context.startQuery(first, name, 'A', { dnssec: true });
  // As in `queryServers`: every server shows an alias, in its response to either type.
  for (const server of others.length > 0 ? others : servers) context.startQuery(server, name, 'AAAA');
  void querySibling(context, zone, others.at(-1) ?? first, { type: 'CNAME', parent: parentOf(name) });
  for (let at = parentOf(name); isWithin(at, zone); at = parentOf(at)) {
    // An alias is no zone, so the zone of the name above is needed too.
    if (at !== zone) context.startQuery(first, at, 'A', { dnssec: true });
    if (checksCaa) void findCaaAbove(context, zone, servers, at);
  }
}

/** Sends a query for a name that exists together with the one that finds its zone. */
export async function startQueryForTarget(
  context: CheckContext,
  name: string,
  type: RecordType,
): Promise<void> {
  const { zone } = await delegatedZone(context, registrableOf(name));
  const [first] = context.respondingFirst(zone.servers);
  if (first !== undefined) context.startQuery(first, name, type);
}
