import type { Facts } from '../facts/facts.js';

/**
 * How long resolvers may use the former name servers after a change, in words: the TTL of the delegation at the parent, such
 * as 48 hours for .com. Without a known TTL, 48 hours, the longest usual one.
 */
export function delegationTimeText({ zone: { cut, delegation, name } }: Facts): string {
  const ofParent = cut?.referral ?? (delegation?.question.name === name ? delegation : undefined);
  // A resolver's TTL counts down.
  const records = ofParent?.server.host === undefined ? [] : delegationRecords(ofParent);
  const ttls = records.flatMap(({ data, ttl }) => (data.type === 'NS' ? [ttl] : []));
  const seconds = ttls.length === 0 ? LONGEST : Math.max(...ttls);
  if (seconds >= 5400) return `${Math.round(seconds / 3600)} hours`;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Seconds. Registries use 48 hours at most. */
const LONGEST = 172_800;

function delegationRecords({ records, exchange }: NonNullable<Facts['zone']['delegation']>) {
  return records.length > 0 || exchange.kind === 'failure' ? records : exchange.response.authority;
}
