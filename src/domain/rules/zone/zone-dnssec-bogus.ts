import type { DnssecFacts, Facts, ResolverFacts } from '../../facts/facts.js';
import { isKnown } from '../../facts/lookup.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { dnssecProblems, type DnssecProblem } from '../../views/dnssec.js';
import { digCommand, evidenceOf, lookupText, serverText } from '../../views/evidence.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `zone.dnssec-bogus`: validating resolvers reject the zone of the domain or of the target. Found in DS, keys and dates,
 * otherwise by a resolver that returns SERVFAIL and responds with the CD flag.
 */
export function zoneDnssecBogus(facts: Facts): Finding[] {
  const found = facts.dnssec.flatMap((signed) =>
    dnssecProblems(signed, facts.queriedAt).map((problem) => finding(facts, signed, problem)),
  );
  return found.length > 0 ? found : rejectedByResolvers(facts);
}

/** Whether a resolver's SERVFAIL comes from DNSSEC: with the CD flag, it responds. */
export function isRejection({ rejected }: ResolverFacts): boolean {
  return rejected !== undefined && isKnown(rejected.unchecked);
}

function finding(facts: Facts, signed: DnssecFacts, problem: DnssecProblem): Finding {
  return {
    id: 'zone.dnssec-bogus',
    axis: 'zone',
    severity: 'block',
    message: `DNSSEC of ${signed.zone} is broken. ${problemText(signed, problem)}. Validating resolvers reject the zone, so many visitors can't reach ${facts.domain.unicode}.`,
    fix: {
      action: 'other',
      text:
        signed.owner === 'target'
          ? `Contact the support of the service: only it can repair ${signed.zone}. Your own records need no change for this.`
          : fixText(facts, problem),
      records: [],
    },
    evidence: evidenceFor(signed, problem),
  };
}

function problemText({ zone, ds, servers }: DnssecFacts, problem: DnssecProblem): string {
  const tags = listed([
    ...new Set(ds.records.flatMap(({ data }) => (data.type === 'DS' ? [String(data.keyTag)] : []))),
  ]);
  const isAll = problem.servers.length === servers.length;
  const at = isAll
    ? ''
    : ` at ${listed(
        problem.servers.map(({ server }) => serverText(server)),
        3,
      )}`;
  switch (problem.kind) {
    case 'not-signed':
      return 'Its parent zone has a DS record, but its name servers do not sign the zone';
    case 'wrong-ds':
      return `The DS record in its parent zone (key tag ${tags}) matches no key of ${zone}${at}`;
    case 'unsigned-records':
      return `The records have no valid signature${at}`;
    case 'expired':
      return `The signatures${at} expired at ${timeText(problem.time)}`;
    case 'not-yet-valid':
      return `The signatures${at} are not valid before ${timeText(problem.time)}, or the clock of this machine is wrong`;
  }
}

function timeText(time = 0): string {
  return new Date(time).toISOString();
}

function fixText({ zone }: Facts, { kind }: DnssecProblem): string {
  const location = serverListText(zone);
  switch (kind) {
    case 'not-signed':
      return `Remove the DS record of ${zone.name} ${location}, mostly under "DNSSEC". To keep DNSSEC, turn it on at the DNS provider and enter its DS record there instead.`;
    case 'wrong-ds':
      return `Replace the DS record of ${zone.name} ${location} with the one that your DNS provider shows under "DNSSEC". Or remove it, to turn DNSSEC off.`;
    case 'unsigned-records':
    case 'expired':
    case 'not-yet-valid':
      return `Ask the DNS provider of ${zone.name} to sign the zone again at all its servers. As a quick remedy, remove the DS record ${location}.`;
  }
}

function evidenceFor({ ds, zone }: DnssecFacts, { kind, servers }: DnssecProblem): Evidence[] {
  const isAboutKeys = kind === 'not-signed' || kind === 'wrong-ds';
  return [
    evidenceOf(ds),
    ...servers.map(({ server, dnskey, record }) => {
      const lookup = isAboutKeys ? dnskey : record;
      const command = digCommand(server, isAboutKeys ? zone : record.question.name, lookup.question.type);
      return {
        text: `${serverText(server)}: ${lookupText(lookup)}`,
        command: command.replace('dig ', 'dig +dnssec '),
      };
    }),
  ];
}

/** An inference: the resolver names no zone, so the response for the target decides whose it is. */
function rejectedByResolvers(facts: Facts): Finding[] {
  const rejecting = facts.resolvers.filter(isRejection);
  const [first] = rejecting;
  if (first?.rejected === undefined) return [];
  const { domain, target, zone } = facts;
  const isTargets = !isKnown(first.rejected.target);
  const reasons = [...new Set(rejecting.flatMap(extendedErrors))];
  return [
    {
      id: 'zone.dnssec-bogus',
      axis: 'zone',
      severity: 'block',
      message:
        `${listed(
          rejecting.map(({ label }) => label),
          3,
        )} ${rejecting.length === 1 ? 'rejects' : 'reject'} ${isTargets ? target : domain.unicode}, and ${rejecting.length === 1 ? 'responds' : 'respond'} with the CD flag, which turns validation off. ` +
        `DNSSEC of ${isTargets ? `the target's zone` : zone.name} is probably broken${reasons.length === 0 ? '' : ` (${listed(reasons, 3)})`}.`,
      fix: {
        action: 'other',
        text: isTargets
          ? `Contact the support of the service: only it can repair the zone of ${target}.`
          : `Ask the DNS provider of ${zone.name} to repair DNSSEC. As a quick remedy, remove the DS record ${serverListText(zone)}.`,
        records: [],
      },
      evidence: rejecting.flatMap(({ a, rejected }) => [
        evidenceOf(a, true),
        ...(rejected === undefined
          ? []
          : [
              {
                text: `${serverText(rejected.unchecked.server)}, without DNSSEC: ${lookupText(rejected.unchecked)}`,
                command: digCommand(rejected.unchecked.server, domain.ascii, 'A', true).replace(
                  'dig ',
                  'dig +cd ',
                ),
              },
            ]),
      ]),
    },
  ];
}

/** The reasons that a resolver gives (RFC 8914), such as `DNSSEC Bogus`. */
function extendedErrors({ a, aaaa }: ResolverFacts): string[] {
  return [a, aaaa].flatMap(({ exchange }) =>
    exchange.kind === 'response'
      ? exchange.response.extendedErrors.map(({ code, text }) => {
          const name = DNSSEC_ERRORS.get(code) ?? `EDE ${code}`;
          return text === '' ? name : `${name}: ${text}`;
        })
      : [],
  );
}

/** IANA, "Extended DNS Error Codes". */
const DNSSEC_ERRORS: ReadonlyMap<number, string> = new Map([
  [1, 'unsupported DNSKEY algorithm'],
  [2, 'unsupported DS digest type'],
  [5, 'DNSSEC indeterminate'],
  [6, 'DNSSEC bogus'],
  [7, 'signature expired'],
  [8, 'signature not yet valid'],
  [9, 'DNSKEY missing'],
  [10, 'RRSIGs missing'],
  [11, 'no zone key bit set'],
  [12, 'NSEC missing'],
]);
