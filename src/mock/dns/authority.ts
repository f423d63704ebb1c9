import type { DnsResponse } from './message.js';
import { isWithin, withAncestors, type Name } from './name.js';
import { negativeTtl, targetOf, addressRecord, type Question, type ZoneRecord } from './record.js';
import { lookUpInZone, type Zone } from './zone.js';

/** What an authoritative server needs besides its zones. */
export interface AuthorityContext {
  zones: ReadonlyMap<Name, Zone>;
  /** For the addresses beside a referral. */
  addressesOf(host: Name): readonly string[];
  /** The addresses of an ALIAS's target, with what is left of their TTL; `undefined` where it has none or can't be asked. */
  expand(target: Name, type: 'A' | 'AAAA'): readonly ZoneRecord[] | undefined;
}

const CHAIN_MAX = 16;
const GLUE_TTL = 172_800;

/** Answers from the zones that a server has, and refuses everything else. */
export function respondAuthoritatively(context: AuthorityContext, question: Question): DnsResponse {
  const zone = withAncestors(question.name)
    .map((name) => context.zones.get(name))
    .find((found) => found !== undefined);
  if (zone === undefined) return emptyResponse('REFUSED');
  const answers: ZoneRecord[] = [];
  const seen = new Set<Name>();
  let { name } = question;
  // Along the aliases, as far as they stay in the zone. A loop ends where it began, without an error.
  while (!seen.has(name) && seen.size < CHAIN_MAX && isWithin(name, zone.name)) {
    seen.add(name);
    const found = lookUpInZone(zone, { name, type: question.type });
    if (found.kind !== 'cname') return finish(context, zone, { name, type: question.type }, answers, found);
    answers.push(...found.records);
    // Of a DNAME comes the CNAME that was asked for.
    if (question.type === 'CNAME') break;
    name = found.target;
  }
  return { ...emptyResponse('NOERROR'), authoritative: true, answers };
}

function finish(
  context: AuthorityContext,
  zone: Zone,
  question: Question,
  answers: readonly ZoneRecord[],
  found: Exclude<ReturnType<typeof lookUpInZone>, { kind: 'cname' }>,
): DnsResponse {
  const answer = { ...emptyResponse('NOERROR'), authoritative: true, answers };
  const negative = { ...answer, authority: [{ ...zone.soa, ttl: negativeTtl(zone.soa) }] };
  switch (found.kind) {
    case 'records':
      return { ...answer, answers: [...answers, ...found.records] };
    case 'nodata':
      return negative;
    case 'nxdomain':
      return { ...negative, rcode: 'NXDOMAIN' };
    case 'referral':
      return {
        ...answer,
        // The answer is the first name's, which is in the zone where an alias has been followed.
        authoritative: answers.length > 0,
        authority: found.records,
        additional: glue(context, zone, found.records),
      };
    case 'alias': {
      const type = question.type === 'A' ? 'A' : 'AAAA';
      const addresses = context.expand(found.target, type);
      if (addresses === undefined) return emptyResponse('SERVFAIL');
      if (addresses.length === 0) return negative;
      const own = addresses.map((record) => ({ ...record, name: question.name }));
      return { ...answer, answers: [...answers, ...own] };
    }
  }
}

function glue({ addressesOf }: AuthorityContext, zone: Zone, servers: readonly ZoneRecord[]): ZoneRecord[] {
  return servers
    .map(targetOf)
    .filter((host) => isWithin(host, zone.name))
    .flatMap((host) => addressesOf(host).map((address) => addressRecord(host, GLUE_TTL, address)));
}

/** An answer without any record. */
export function emptyResponse(rcode: DnsResponse['rcode']): DnsResponse {
  return { rcode, authoritative: false, answers: [], authority: [], additional: [] };
}
