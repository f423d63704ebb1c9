import { askAgain, askServers } from './authoritative.js';
import { climbForCaa } from './caa.js';
import { followChain } from './chain.js';
import type { Facts } from '../facts/facts.js';
import type { Inquiry } from './inquiry.js';
import { looksRight } from '../views/looks-right.js';
import { lookAround } from './nearby.js';
import { findTarget, widenTarget } from './platform.js';
import { askResolvers } from './recursive.js';
import type { Subject } from './subject.js';
import { findZone, zoneFacts } from './zone.js';

/**
 * Asks everything that a verdict needs. Authoritative servers first; resolvers hear of the domain only when all of these
 * have it right. A look-up that failed is a fact: never rejects.
 */
export async function gather(inquiry: Inquiry, subject: Subject): Promise<Facts> {
  const { domain, target, plan, deployed, issuer } = subject;
  const name = domain.ascii;
  const askedAt = inquiry.clock.now();
  const [place, found] = await Promise.all([findZone(inquiry, name), findTarget(inquiry, target)]);
  const zone = zoneFacts(place, name, subject.kind);
  const first = await askServers(inquiry, place.zone, name);
  const platform = zone.kind === 'apex' ? await widenTarget(inquiry, target, found, first) : found;
  const [servers, chain, around, caa] = await Promise.all([
    askAgain(inquiry, first, platform),
    followChain(inquiry, first, target),
    lookAround(inquiry, zone.name, name, first),
    climbForCaa(inquiry, place.zone, name, first),
  ]);
  const facts: Facts = {
    domain,
    target,
    plan,
    deployed,
    askedAt,
    zone,
    servers,
    platform,
    nearby: { ...around, ...chain },
    caa: { ...caa, issuer },
    resolvers: [],
  };
  if (!looksRight(facts)) return facts;
  const resolvers = await askResolvers(inquiry, name);
  // What resolvers remember runs out from their answers on, and an ALIAS has cost seconds before.
  return { ...facts, resolvers, askedAt: inquiry.clock.now() };
}
