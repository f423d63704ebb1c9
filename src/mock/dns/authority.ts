import type { DnsResponse } from './dns-message.js';
import { isWithin, withAncestors, type Name } from './name.js';
import { negativeTtl, targetOf, addressRecord, type Question, type ZoneRecord } from './record.js';
import { lookUpInZone, type Zone } from './zone.js';

/** The zones of an authoritative server, and what it looks up outside them. */
export interface AuthorityContext {
  zones: ReadonlyMap<Name, Zone>;
  /** Returns the glue addresses of a referral. */
  addressesOf(host: Name): readonly string[];
  /** Resolves the target of an ALIAS, with remaining TTLs. Returns `undefined` on failure. */
  expand(target: Name, type: 'A' | 'AAAA'): readonly ZoneRecord[] | undefined;
}

const CHAIN_MAX = 16;
const GLUE_TTL = 172_800;

/** Responds from the zones of a server. Other names get REFUSED. */
export function respondAuthoritatively(context: AuthorityContext, question: Question): DnsResponse {
  const zone = withAncestors(question.name)
    .map((name) => context.zones.get(name))
    .find((found) => found !== undefined);
  if (zone === undefined) return emptyResponse('REFUSED');
  const answers: ZoneRecord[] = [];
  const seen = new Set<Name>();
  let { name } = question;
  // Follows CNAMEs within the zone. A loop is not an error: the response contains its records once.
  while (!seen.has(name) && seen.size < CHAIN_MAX && isWithin(name, zone.name)) {
    seen.add(name);
    const found = lookUpInZone(zone, { name, type: question.type });
    if (found.kind !== 'cname')
      return toResponse(context, zone, { name, type: question.type }, answers, found);
    answers.push(...found.records);
    // A DNAME also produces the queried CNAME.
    if (question.type === 'CNAME') break;
    name = found.target;
  }
  return { ...emptyResponse('NOERROR'), authoritative: true, answers };
}

function toResponse(
  context: AuthorityContext,
  zone: Zone,
  question: Question,
  answers: readonly ZoneRecord[],
  found: Exclude<ReturnType<typeof lookUpInZone>, { kind: 'cname' }>,
): DnsResponse {
  const response = { ...emptyResponse('NOERROR'), authoritative: true, answers };
  const negative = { ...response, authority: [{ ...zone.soa, ttl: negativeTtl(zone.soa) }] };
  switch (found.kind) {
    case 'records':
      return { ...response, answers: [...answers, ...found.records] };
    case 'nodata':
      return negative;
    case 'nxdomain':
      return { ...negative, rcode: 'NXDOMAIN' };
    case 'referral':
      return {
        ...response,
        // AA is about the first name (RFC 1035, section 4.1.1). After a CNAME, that name is in this zone.
        authoritative: answers.length > 0,
        // The DS records belong to this zone (RFC 4035, section 3.1.4). Sent only to a query with DO.
        authority: [
          ...found.records,
          ...found.records
            .slice(0, 1)
            .flatMap(({ name }) => zone.at(name).filter(({ type }) => type === 'DS')),
        ],
        additional: glue(context, zone, found.records),
      };
    case 'alias': {
      const type = question.type === 'A' ? 'A' : 'AAAA';
      const addresses = context.expand(found.target, type);
      if (addresses === undefined) return emptyResponse('SERVFAIL');
      if (addresses.length === 0) return negative;
      const own = addresses.map((record) => ({ ...record, name: question.name }));
      return { ...response, answers: [...answers, ...own] };
    }
  }
}

function glue({ addressesOf }: AuthorityContext, zone: Zone, servers: readonly ZoneRecord[]): ZoneRecord[] {
  return servers
    .map(targetOf)
    .filter((host) => isWithin(host, zone.name))
    .flatMap((host) => addressesOf(host).map((address) => addressRecord(host, GLUE_TTL, address)));
}

/** A response without records. */
export function emptyResponse(rcode: DnsResponse['rcode']): DnsResponse {
  return { rcode, authoritative: false, answers: [], authority: [], additional: [] };
}
