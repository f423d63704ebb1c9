import type { Facts } from '../../../gather/facts/facts.js';
import { isTypeRejected, type Lookup } from '../../../gather/facts/lookup.js';
import { finding, type Finding } from '../../../report/finding.js';
import { listed, reasonSentences } from '../../../names/printable.js';
import { evidenceOfAll, failureText, serverHost } from '../../../gather/views/evidence.js';
import { reachedServers } from '../../../gather/views/server-view.js';

/**
 * `zone.unreachable-ns`: servers that respond, but not for one type. Mostly a firewall in front of them drops types that it
 * does not know.
 */
export function zoneRejectedTypes(facts: Facts): Finding[] {
  if (facts.access !== undefined) return [];
  const lookups = reachedServers(facts).flatMap(({ mx, txt, https }) => [mx, txt, https]);
  const failed = [...new Set(lookups)].filter(isTypeRejected);
  const truncated = failed.filter(isTruncated);
  const rejected = failed.filter((lookup) => !isTruncated(lookup));
  return [
    ...(truncated.length === 0 ? [] : [withoutTcp(facts, truncated)]),
    ...(rejected.length === 0 ? [] : [droppedTypes(facts, rejected)]),
  ];
}

function isTruncated({ exchange }: Lookup): boolean {
  return exchange.kind === 'failure' && exchange.isTruncated === true;
}

/** A server must respond over TCP too, at the latest if a response is too long for UDP (RFC 7766, section 5). */
function withoutTcp({ zone }: Facts, truncated: readonly Lookup[]): Finding {
  const { types, reasons } = typesAndReasons(truncated);
  return finding('zone.unreachable-ns', 'warn', {
    message: `Name servers of ${zone.name} have more ${types} records than fit over UDP, and TCP failed. ${reasons}`,
    fix: `The servers must respond over TCP on port 53: ask the DNS provider. Or have fewer ${types} records.`,
    evidence: evidenceOfAll(truncated),
  });
}

function typesAndReasons(lookups: readonly Lookup[]): { types: string; reasons: string } {
  const types = listed([...new Set(lookups.map(({ question }) => question.type))]);
  const reasons = lookups.map((lookup) => ({ host: serverHost(lookup.server), reason: failureText(lookup) }));
  return { types, reasons: reasonSentences(reasons) };
}

function droppedTypes({ zone }: Facts, rejected: readonly Lookup[]): Finding {
  const { types, reasons } = typesAndReasons(rejected);
  return finding('zone.unreachable-ns', 'warn', {
    message: `Name servers of ${zone.name} respond, but not to queries for ${types}. ${reasons} Resolvers then wait or fail, and visitors with them.`,
    fix: `Ask the DNS provider whether a firewall drops queries for ${types}. Without such a record, the response must be an empty NOERROR.`,
    evidence: evidenceOfAll(rejected),
  });
}
