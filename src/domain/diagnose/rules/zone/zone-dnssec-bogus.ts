import type { DnssecFacts, Facts, ResolverFacts } from '../../../gather/facts/facts.js';
import { isServerFailure, type Lookup } from '../../../gather/facts/lookup.js';
import { finding, type Evidence, type Finding, type Fix } from '../../../report/finding.js';
import { listed } from '../../../names/printable.js';
import { recordFields } from '../../../advice/advice.js';
import { fixOf } from '../../../advice/words.js';
import { dnssecProblems, type DnssecProblem, isProvedAtAll } from '../../../gather/views/dnssec.js';
import { digEvidence, evidenceOf, lookupText, serverText } from '../../../gather/views/evidence.js';
import { resolverView } from '../../../gather/views/resolver-view.js';
import { showsRecord } from '../../../gather/views/own-records.js';
import { timeText } from '../../../gather/views/estimate.js';
import { serverListText } from './zone-servers.js';

/**
 * `zone.dnssec-bogus`: validating resolvers reject the zone of the domain or of the target. Found in DS, keys and dates,
 * otherwise by a resolver that returns SERVFAIL and responds with the CD flag.
 */
export function zoneDnssecBogus(facts: Facts): Finding[] {
  const found = facts.dnssec.flatMap((signed) =>
    dnssecProblems(signed, facts.queriedAt).flatMap((problem) => brokenZone(facts, signed, problem)),
  );
  return found.length > 0 ? found : rejectedByResolvers(facts);
}

/**
 * Whether a resolver's SERVFAIL comes from DNSSEC. A default resolver alone does not show it, if another one has the
 * record: its clock or its trust anchor may be wrong.
 */
export function isRejection(facts: Facts, resolver: ResolverFacts): boolean {
  const { resolvers } = facts;
  const isAlone = resolvers.filter((other) => rejectedOwner(facts, other) !== undefined).length === 1;
  const isRight = resolvers.some((other) => resolverView(facts, other).kind === 'right');
  return rejectedOwner(facts, resolver) !== undefined && !(resolver.isDefault === true && isAlone && isRight);
}

/**
 * Whose zone a resolver rejects: twice, it returned SERVFAIL and, with the CD flag, records. Only a zone with a DS record
 * can be rejected. An error of the resolver's own network has another reason (RFC 8914, sections 4.23 and 4.24).
 */
function rejectedOwner({ dnssec }: Facts, { rejected }: ResolverFacts): DnssecFacts['owner'] | undefined {
  if (rejected === undefined || rejected.tests.length < 2) return undefined;
  const isRepeated = rejected.tests.every(
    ({ checked, unchecked }) =>
      isServerFailure(checked) && showsRecord(unchecked) && !isNetworkError(checked),
  );
  const owner = isServerFailure(rejected.target) ? 'target' : 'domain';
  return isRepeated && dnssec.some((signed) => signed.owner === owner) ? owner : undefined;
}

function brokenZone(facts: Facts, signed: DnssecFacts, problem: DnssecProblem): Finding[] {
  const isProved = facts.zone.failedHosts.length === 0 && isProvedAtAll(signed, problem);
  return [
    finding('zone.dnssec-bogus', 'block', {
      message: `DNSSEC of ${signed.zone} is broken. ${problemText(signed, problem)}. Many visitors can't reach it.`,
      fix:
        signed.owner === 'target'
          ? [
              `Contact the support of the service: only it can repair ${signed.zone}.`,
              'Your own records need no change for this.',
            ]
          : repairOf(facts, signed, problem, isProved),
      evidence: evidenceFor(signed, problem),
    }),
  ];
}

function problemText({ zone, ds, servers }: DnssecFacts, problem: DnssecProblem): string {
  const tags = listed([
    ...new Set(ds.records.flatMap(({ data }) => (data.type === 'DS' ? [String(data.keyTag)] : []))),
  ]);
  const isAll = problem.servers.length === servers.length;
  const hosts = listed(
    problem.servers.map(({ server }) => serverText(server)),
    3,
  );
  const at = isAll ? '' : ` at ${hosts}`;
  switch (problem.kind) {
    case 'not-signed':
      return `Its parent zone has a DS record, but ${isAll ? 'its name servers do' : `at least ${hosts} ${problem.servers.length === 1 ? 'does' : 'do'}`} not sign the zone`;
    case 'wrong-ds':
      return `The DS record in its parent zone (key tag ${tags}) matches no key of ${zone}${at}`;
    case 'unsigned-records':
      return `The records have no valid signature${at}`;
    case 'expired':
      return `The signatures${at} expired at ${timeText(problem.time ?? 0)}, or the clock of this machine is wrong`;
    case 'not-yet-valid':
      return `The signatures${at} are not valid before ${timeText(problem.time ?? 0)}, or the clock of this machine is wrong`;
  }
}

/** Only a DS record without a key at every server may be removed. In all other cases, the zone may be signed with it. */
function repairOf(
  facts: Facts,
  signed: DnssecFacts,
  { kind }: DnssecProblem,
  isProved: boolean,
): Fix | string[] {
  const { zone } = facts;
  const location = serverListText(zone);
  const risk =
    'If this finding is wrong, removing the DS record turns off a working DNSSEC, and TLSA records stop working.';
  if (kind === 'not-signed' && isProved) {
    const keep = `To keep DNSSEC, turn it on at the DNS provider and enter its DS record ${location} instead.`;
    return fixOf({
      action: 'remove',
      first: [
        { kind: 'check', text: risk },
        { kind: 'unless', text: keep },
      ],
      step: `Remove the DS record of ${zone.name} there, mostly under "DNSSEC".`,
      remove: signed.ds.records.map((record) => recordFields(facts, record)),
    });
  }
  if (kind === 'wrong-ds' && isProved) {
    // Not with a digest of the keys that were found: who forges responses would choose it.
    return [
      `Replace the DS record of ${zone.name} ${location} with the one that your DNS provider shows under "DNSSEC".`,
      'If it shows none, remove the old one, to turn DNSSEC off.',
      risk,
    ];
  }
  const task = {
    'not-signed': 'sign the zone at all its servers',
    'wrong-ds': 'use the same keys at all its servers',
    'unsigned-records': 'sign the zone again at all its servers',
    expired: 'sign the zone again at all its servers',
    'not-yet-valid': 'sign the zone again at all its servers',
  }[kind];
  return [`Ask the DNS provider of ${zone.name} to ${task}.`, KEEP_TEXT];
}

const KEEP_TEXT = 'Keep the DS record: nothing proves that it is wrong.';

function evidenceFor({ ds, zone }: DnssecFacts, { kind, servers }: DnssecProblem): Evidence[] {
  const isAboutKeys = kind === 'not-signed' || kind === 'wrong-ds';
  return [
    evidenceOf(ds),
    ...servers.map(({ server, dnskey, record }) => {
      const lookup = isAboutKeys ? dnskey : record;
      const name = isAboutKeys ? zone : record.question.name;
      const text = `${serverText(server)}: ${lookupText(lookup)}`;
      return digEvidence(text, server, name, lookup.question.type, false, ['+dnssec']);
    }),
  ];
}

/** An inference: the resolver names no zone, so the response for the target decides whose it is. */
function rejectedByResolvers(facts: Facts): Finding[] {
  const rejecting = facts.resolvers.filter((resolver) => isRejection(facts, resolver));
  const [first] = rejecting;
  if (first === undefined) return [];
  const { domain, target, zone } = facts;
  const isTargets = rejectedOwner(facts, first) === 'target';
  const reasons = [...new Set(rejecting.flatMap(extendedErrors))];
  const labels = rejecting.map(({ label }) => label);
  const [rejects, responds] = labels.length === 1 ? ['rejects', 'responds'] : ['reject', 'respond'];
  return [
    finding('zone.dnssec-bogus', 'block', {
      message:
        `${listed(labels, 3)} ${rejects} ${isTargets ? target : domain.unicode} in two tests, and ${responds} with the CD flag, which turns validation off. ` +
        `DNSSEC of ${isTargets ? `the target's zone` : zone.name} is probably broken${reasons.length === 0 ? '' : ` (${listed(reasons, 3)})`}.`,
      fix: isTargets
        ? `Contact the support of the service: only it can repair the zone of ${target}.`
        : [
            `Ask the DNS provider of ${zone.name} to compare its keys and signatures with the DS record ${serverListText(zone)}.`,
            KEEP_TEXT,
          ],
      evidence: rejecting.flatMap(({ rejected }) =>
        (rejected?.tests ?? []).flatMap(({ checked, unchecked }) => {
          const { question, server } = unchecked;
          const text = `${serverText(server)}, without DNSSEC: ${lookupText(unchecked)}`;
          return [
            evidenceOf(checked, true),
            digEvidence(text, server, question.name, question.type, true, ['+cd', '+dnssec']),
          ];
        }),
      ),
    }),
  ];
}

/** The reasons that a resolver gives (RFC 8914), such as `EDE 6: signature expired`. */
function extendedErrors({ a, aaaa }: ResolverFacts): string[] {
  return [a, aaaa].flatMap(errorsIn).map(({ code, text }) => `EDE ${code}${text === '' ? '' : `: ${text}`}`);
}

function errorsIn({ exchange }: Lookup): readonly { code: number; text: string }[] {
  return exchange.kind === 'response' ? exchange.response.extendedErrors : [];
}

/** Whether the resolver names only reasons that are not DNSSEC: no reachable authority, a network error. */
function isNetworkError(lookup: Lookup): boolean {
  const errors = errorsIn(lookup);
  return errors.length > 0 && errors.every(({ code }) => code === 22 || code === 23);
}
