import { evidenceOf, recordText, failureText } from '../views/evidence.js';
import { EXPECTED_TTL, recordLabel } from '../records/expected.js';
import type { Facts } from '../facts/facts.js';
import type { Finding, Fix } from '../finding/finding.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { listed } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';
import { aliasesAt } from '../views/server-view.js';
import { wrongAliases } from './record/record-target.js';

/**
 * `caa.blocked`, `caa.critical`, `caa.lookup-failed`, `caa.ok`: whether a certificate authority may issue, decided as
 * one decides it (RFC 8659, section 4, and what boulder does).
 */
export function caa(facts: Facts): Finding[] {
  const { steps, records, owner } = facts.caa;
  if (steps.length === 0) return [];
  if (isBehindWrongAlias(facts)) return [];
  const untold = steps.find(({ lookup }) => !isKnown(lookup))?.lookup;
  if (untold !== undefined) {
    return isUnaskedZone(facts) || untold.outcome === 'aborted' ? [] : [lookupFailed(untold)];
  }
  if (owner === undefined || records.length === 0)
    return [allowed(facts, 'Any certificate authority may issue: there is no CAA record.')];
  const place = placeOf(owner, records);
  const critical = records.filter(
    ({ data }) => data.type === 'CAA' && isUnknownCritical(data.flags, data.tag),
  );
  return critical.length > 0 ? [criticalUnknown(facts, place, critical)] : [restriction(facts, place)];
}

/** Nothing was to be had from the zone: then `zone.lame-ns` or `zone.unreachable-ns` says what is to be done. */
function isUnaskedZone({ servers }: Facts): boolean {
  return !servers.some(({ cname }) => isKnown(cname));
}

/** What lies behind an alias that must change anyway says nothing of the certificate. */
function isBehindWrongAlias(facts: Facts): boolean {
  const { steps, owner } = facts.caa;
  const [first] = steps;
  if (first?.lookup === undefined || first.name !== facts.domain.ascii) return false;
  const decides = !isKnown(first.lookup) || first.name === owner;
  return decides && first.lookup.chain.length > 0 && wrongAliases(facts).length > 0;
}

/** Where the records lie. */
interface Place {
  name: string;
  /** Through which name of the domain's they were found, where an alias leads to another's: they can't be edited here. */
  through: string | undefined;
}

function placeOf(owner: string, records: readonly DnsRecord[]): Place {
  const name = records[0]?.name.toLowerCase() ?? owner;
  return { name, through: name === owner.toLowerCase() ? undefined : owner };
}

function placeText({ name, through }: Place): string {
  return through === undefined ? name : `${name}, where the alias of ${through} leads,`;
}

/** Beside an alias there can be no CAA record, so that only the owner of its target can help. */
function askOwner({ name }: Place, what: string): Fix {
  return {
    action: 'other',
    text: `Ask the support of the service behind ${name} to ${what}; no CAA record can be added beside a CNAME.`,
    records: [],
  };
}

/** The tags that certificate authorities know; `issuewild` does not count for a name without a wildcard. */
const KNOWN_TAGS = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
]);

/** The critical flag is 128; boulder also takes 1, which many typed for it. */
function isUnknownCritical(flags: number, tag: string): boolean {
  return (flags & 0b1000_0001) !== 0 && !KNOWN_TAGS.has(tag.toLowerCase());
}

interface Permission {
  /** The authority's domain; empty for `;`, which allows nobody. */
  issuer: string;
  /** `accounturi` and `validationmethods` (RFC 8657), as far as they were given. */
  conditions: readonly string[];
}

function restriction(facts: Facts, place: Place): Finding {
  const at = placeText(place);
  const { records, issuer } = facts.caa;
  const permissions = records.flatMap(({ data }) =>
    data.type === 'CAA' && data.tag.toLowerCase() === 'issue' ? [permissionOf(data.value)] : [],
  );
  if (permissions.length === 0) {
    return allowed(facts, `The CAA records of ${at} do not restrict who may issue for a single name.`);
  }
  const named = [
    ...new Set(permissions.map((permission) => permission.issuer).filter((name) => name !== '')),
  ];
  const list = named.length === 0 ? 'no certificate authority' : `only ${listed(named)}`;
  const matching = permissions.filter((permission) => permission.issuer === issuer?.toLowerCase());
  if (issuer !== undefined && matching.some(({ conditions }) => conditions.length === 0)) {
    return allowed(facts, `The CAA records of ${at} allow ${issuer}, which issues for the service.`);
  }
  if (issuer !== undefined && matching.length > 0) {
    const conditions = matching.flatMap((permission) => permission.conditions);
    const message = `CAA at ${at} allows ${issuer} only under conditions (${listed(conditions)}), which the service may not meet.`;
    return blocked(facts, place, 'warn', message);
  }
  if (issuer === undefined && named.length > 0) {
    return blocked(
      facts,
      place,
      'warn',
      `CAA at ${at} allows ${list} to issue. Whether the service's is among them is not known here.`,
    );
  }
  const wanted = issuer === undefined ? '' : `, and the service gets its certificates from ${issuer}`;
  return blocked(
    facts,
    place,
    'block',
    `CAA at ${at} allows ${list} to issue${wanted}. No certificate can be issued.`,
  );
}

/** `letsencrypt.org; validationmethods=dns-01`: the authority before the first semicolon, parameters behind. */
function permissionOf(value: string): Permission {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  return {
    issuer: issuer.toLowerCase(),
    conditions: parameters.filter((parameter) => /^(accounturi|validationmethods)\s*=/i.test(parameter)),
  };
}

function blocked(facts: Facts, place: Place, severity: 'block' | 'warn', message: string): Finding {
  return {
    id: 'caa.blocked',
    axis: 'caa',
    severity,
    message,
    fix: addPermission(facts, place),
    evidence: evidenceOfClimb(facts),
  };
}

function addPermission(facts: Facts, place: Place): Fix {
  const { domain, zone } = facts;
  const { issuer, records } = facts.caa;
  const owner = place.name;
  if (facts.servers.some((server) => owner === domain.ascii && aliasesAt(facts, server).length > 0)) {
    return {
      action: 'remove',
      text: `Remove the CAA records of ${owner}: none can be beside the CNAME, and those of its target count then.`,
      records: records.map((record) => typedCaa(facts, record)),
    };
  }
  if (place.through !== undefined)
    return askOwner(place, `allow ${issuer ?? 'the certificate authority that it uses'} there`);
  if (issuer === undefined) {
    return {
      action: 'other',
      text: `Ask the service which certificate authority it uses, and add it at ${owner}; do not delete the others.`,
      records: [],
    };
  }
  const value = `0 issue "${issuer}"`;
  return {
    action: 'add',
    text: `Add CAA ${value} at ${owner}; do not delete the others.`,
    records: [{ type: 'CAA', name: owner, label: recordLabel(owner, zone.name), value, ttl: EXPECTED_TTL }],
  };
}

function criticalUnknown(facts: Facts, place: Place, records: readonly DnsRecord[]): Finding {
  const texts = listed(records.map(({ data }) => recordText(data)));
  return {
    id: 'caa.critical',
    axis: 'caa',
    severity: 'block',
    message: `CAA at ${placeText(place)} has a critical property that no certificate authority knows: ${texts}. None may issue while it is there.`,
    fix:
      place.through === undefined
        ? {
            action: 'remove',
            text: `Remove ${texts}, or set its flag to 0.`,
            records: records.map((record) => typedCaa(facts, record)),
          }
        : askOwner(place, `remove ${texts}`),
    evidence: evidenceOfClimb(facts),
  };
}

function typedCaa({ zone }: Facts, { name, data }: DnsRecord) {
  return {
    type: 'CAA',
    name,
    label: recordLabel(name, zone.name),
    value: recordText(data).slice('CAA '.length),
  };
}

/** Silence may be this machine's network; an error in an answer is what a certificate authority will get as well. */
function lookupFailed(lookup: Lookup): Finding {
  const { name } = lookup.question;
  const isAnswer = lookup.exchange.kind === 'response';
  return {
    id: 'caa.lookup-failed',
    axis: 'caa',
    severity: isAnswer ? 'block' : 'unknown',
    message: isAnswer
      ? `The question for CAA at ${name} fails (${failureText(lookup)}). Certificate authorities refuse to issue while it does.`
      : `CAA at ${name} could not be asked for (${failureText(lookup)}). If it fails for a certificate authority too, it refuses to issue.`,
    fix: {
      action: 'other',
      text: `Ask the provider of the servers of ${name} to answer questions for CAA: with records, or with "none" (NOERROR).`,
      records: [],
    },
    evidence: [evidenceOf(lookup)],
  };
}

function allowed(facts: Facts, message: string): Finding {
  return { id: 'caa.ok', axis: 'caa', severity: 'info', message, evidence: evidenceOfClimb(facts) };
}

function evidenceOfClimb({ caa: { steps } }: Facts) {
  return steps.map(({ lookup }) => evidenceOf(lookup));
}
