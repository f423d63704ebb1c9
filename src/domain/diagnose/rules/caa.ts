import { evidenceOf, evidenceOfAll, recordText, failureText } from '../../gather/views/evidence.js';
import { EXPECTED_TTL, recordLabel } from '../../advice/expected.js';
import type { Facts } from '../../gather/facts/facts.js';
import { finding, type Evidence, type Finding, type Fix } from '../../report/finding.js';
import { isKnown, type Lookup } from '../../gather/facts/lookup.js';
import { listed } from '../../names/printable.js';
import type { DnsRecord } from '../../dns/dns.js';
import { recordFields } from '../../advice/advice.js';
import { fixOf, recordLine } from '../../advice/words.js';
import {
  aliasesAt,
  decisiveAliases,
  decisiveServers,
  isRightAtDecisiveServers,
} from '../../gather/views/server-view.js';
import { wrongAliases } from './record/record-target.js';

/**
 * Whether a certificate authority may issue, by the rules of an authority (RFC 8659, section 4; Boulder of Let's Encrypt).
 *
 * - `caa.ok`: the authority of the service may issue, or any authority.
 * - `caa.blocked`: the CAA records permit only other authorities.
 * - `caa.critical`: a CAA record has an unknown property with the critical flag.
 * - `caa.lookup-failed`: a CAA query fails. No certificate is issued while it fails for an authority, too.
 */
export function caa(facts: Facts): Finding[] {
  const { steps, records, owner } = facts.caa;
  if (steps.length === 0 || isBehindWrongAlias(facts)) return [];
  const failed = steps.find(({ lookup }) => !isKnown(lookup))?.lookup;
  if (failed !== undefined) {
    return isZoneUnreachable(facts) || failed.outcome === 'aborted' ? [] : lookupFailed(failed);
  }
  if (owner === undefined)
    return allowed(facts, 'Any certificate authority may issue, because there is no CAA record.');
  const source = sourceOf(owner, records);
  if (areReplaced(facts, source)) return [];
  const critical = records.filter(
    ({ data }) => data.type === 'CAA' && isUnknownCritical(data.flags, data.tag),
  );
  return critical.length > 0 ? criticalUnknown(facts, source, critical) : restriction(facts, source);
}

/** Whether no server responded, which `zone.lame-ns` or `zone.unreachable-ns` reports. */
function isZoneUnreachable({ servers }: Facts): boolean {
  return !servers.some(({ cname }) => isKnown(cname));
}

/** Whether the CAA records come through an alias that must change anyway. Then they do not matter. */
function isBehindWrongAlias(facts: Facts): boolean {
  const { steps, owner } = facts.caa;
  const [first] = steps;
  if (first?.lookup === undefined || first.name !== facts.domain.ascii) return false;
  const decides = !isKnown(first.lookup) || first.name === owner;
  return decides && first.lookup.chain.length > 0 && wrongAliases(facts).length > 0;
}

/** Whether a CNAME must replace the CAA records, which are the domain's own. Then those of its target apply. */
function areReplaced(facts: Facts, { name }: CaaSource): boolean {
  const { domain, zone } = facts;
  if (zone.kind === 'apex' || name !== domain.ascii || decisiveServers(facts).length === 0) return false;
  return decisiveAliases(facts).length === 0 && !isRightAtDecisiveServers(facts);
}

/** The name that has the CAA records. */
interface CaaSource {
  name: string;
  /** The alias with this target, if the records were found through one. */
  alias: string | undefined;
}

function sourceOf(owner: string, records: readonly DnsRecord[]): CaaSource {
  const name = records[0]?.name.toLowerCase() ?? owner;
  return { name, alias: name === owner.toLowerCase() ? undefined : owner };
}

function sourceText({ name, alias }: CaaSource): string {
  return alias === undefined ? name : `${name} (the alias target of ${alias})`;
}

/** A fix for records at the target of an alias: only the owner of the target can change them. */
function contactOwner({ name }: CaaSource, request: string): string[] {
  return [
    `Ask the support of the service behind ${name} to ${request}.`,
    'A CAA record next to the CNAME is not possible.',
  ];
}

/** Tags that certificate authorities know. `issuewild` does not apply to a name without a wildcard. */
const KNOWN_TAGS = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
]);

/** The critical flag is 128. Boulder also accepts 1, a common mistake. */
function isUnknownCritical(flags: number, tag: string): boolean {
  return (flags & 0b1000_0001) !== 0 && !KNOWN_TAGS.has(tag.toLowerCase());
}

function restriction(facts: Facts, source: CaaSource): Finding[] {
  const location = sourceText(source);
  const permissions = facts.caa.records.flatMap(({ data }) =>
    data.type === 'CAA' && data.tag.toLowerCase() === 'issue' ? [parseIssueValue(data.value)] : [],
  );
  if (permissions.length === 0) {
    return allowed(facts, `The CAA records of ${location} do not restrict issuance for a single name.`);
  }
  const wanted = facts.caa.issuer?.toLowerCase();
  const matching = permissions.filter(({ issuer }) => issuer === wanted);
  const [permitted] = matching;
  if (matching.some((permission) => conditionsOf(permission).length === 0)) {
    return allowed(
      facts,
      `The CAA records of ${location} allow ${permitted?.issuer ?? ''}, which issues for the service.`,
    );
  }
  if (permitted !== undefined) {
    const conditions = matching.flatMap(conditionsOf);
    const message = `The CAA records of ${location} allow ${permitted.issuer} only under conditions: ${listed(conditions, 4)}. The service may not meet them.`;
    return blocked(facts, source, 'warn', message);
  }
  const start = `The CAA records of ${location} permit ${permittedText(permissions)}.`;
  if (wanted === undefined && permissions.some(({ issuer }) => issuer !== '')) {
    const unknown = 'The authority of the service is unknown: pass it with --issuer.';
    return blocked(facts, source, 'warn', `${start} ${unknown}`);
  }
  const result =
    wanted === undefined
      ? 'No certificate can be issued.'
      : `The service uses ${wanted}, so no certificate can be issued.`;
  return blocked(facts, source, 'block', `${start} ${result}`);
}

/** The parameters that restrict an authority (RFC 8657), as text. */
function conditionsOf({ parameters }: IssueValue): string[] {
  const conditions = parameters.filter(({ tag }) => tag === 'accounturi' || tag === 'validationmethods');
  return conditions.map(({ tag, value }) => `${tag}=${value}`);
}

function permittedText(permissions: readonly IssueValue[]): string {
  const names = [...new Set(permissions.map(({ issuer }) => issuer).filter((name) => name !== ''))];
  if (names.length > 0) return `only ${listed(names, 4)}`;
  const isMalformed = permissions.some((permission) => permission.isMalformed);
  return `no certificate authority${isMalformed ? ', because a value is malformed' : ''}`;
}

function blocked(facts: Facts, source: CaaSource, severity: 'block' | 'warn', message: string): Finding[] {
  return [
    finding('caa.blocked', severity, {
      message,
      fix: addPermission(facts, source),
      evidence: caaEvidence(facts),
    }),
  ];
}

/** The fix for records next to a CNAME; `undefined` for others. */
function removeNextToAlias(facts: Facts, { name }: CaaSource): Fix | undefined {
  const hasAlias = facts.servers.some((server) => aliasesAt(facts, server).length > 0);
  if (name !== facts.domain.ascii || !hasAlias) return undefined;
  return fixOf({
    action: 'remove',
    step: `Remove the CAA records of ${name}: they can't coexist with the CNAME. The records of its target apply then.`,
    remove: facts.caa.records.map((record) => recordFields(facts, record)),
  });
}

function addPermission(facts: Facts, source: CaaSource): Fix | string[] {
  const { zone } = facts;
  const issuer = facts.caa.issuer?.toLowerCase();
  const owner = source.name;
  const removal = removeNextToAlias(facts, source);
  if (removal !== undefined) return removal;
  if (source.alias !== undefined)
    return contactOwner(source, `allow ${issuer ?? 'its certificate authority'} there`);
  if (issuer === undefined) {
    return [
      `Ask the service for its certificate authority, and add it at ${owner}.`,
      'Keep the other records.',
    ];
  }
  const value = `0 issue "${issuer}"`;
  const record = { type: 'CAA', name: owner, label: recordLabel(owner, zone.name), value, ttl: EXPECTED_TTL };
  return fixOf({
    action: 'add',
    step: `Add ${recordLine(record)}.`,
    notes: ['Keep the other records.'],
    add: [record],
  });
}

function criticalUnknown(facts: Facts, source: CaaSource, records: readonly DnsRecord[]): Finding[] {
  const texts = listed(records.map(({ data }) => recordText(data)));
  return [
    finding('caa.critical', 'block', {
      message: `${sourceText(source)} has a CAA record with an unknown critical property: ${texts}. No certificate can be issued while it exists.`,
      fix:
        source.alias === undefined
          ? (removeNextToAlias(facts, source) ??
            fixOf({
              action: 'change',
              step: `Set the flag of ${texts} to 0, or remove the record.`,
              isOwnStep: true,
              remove: records.map((record) => recordFields(facts, record)),
              add: records.map((record) => ({
                ...recordFields(facts, withoutFlags(record)),
                ttl: record.ttl,
              })),
            }))
          : contactOwner(source, `remove ${texts}`),
      evidence: caaEvidence(facts),
    }),
  ];
}

function withoutFlags({ data, ...record }: DnsRecord): DnsRecord {
  return { ...record, data: data.type === 'CAA' ? { ...data, flags: 0 } : data };
}

/**
 * Blocks only on an error response, which certificate authorities get too. A missing one may be due to this network.
 */
function lookupFailed(lookup: Lookup): Finding[] {
  const { name } = lookup.question;
  const hasResponse = lookup.exchange.kind === 'response';
  return [
    finding('caa.lookup-failed', hasResponse ? 'block' : 'unknown', {
      message: hasResponse
        ? `The CAA query for ${name} fails (${failureText(lookup)}). Certificate authorities do not issue while it fails.`
        : `The CAA query for ${name} got no response (${failureText(lookup)}). If it fails for a certificate authority too, no certificate is issued.`,
      fix: [
        `Ask the DNS provider why CAA queries for ${name} fail.`,
        'Without CAA records, the response must be an empty NOERROR.',
      ],
      evidence: [evidenceOf(lookup)],
    }),
  ];
}

function allowed(facts: Facts, message: string): Finding[] {
  return [finding('caa.ok', 'info', { message, evidence: caaEvidence(facts) })];
}

function caaEvidence({ caa: { steps } }: Facts): Evidence[] {
  return evidenceOfAll(steps.map(({ lookup }) => lookup));
}

/** The value of an `issue` property. */
export interface IssueValue {
  /** The authority's domain in lower case; empty for a value that permits no authority. */
  issuer: string;
  /** Parameters such as `accounturi` and `validationmethods` (RFC 8657). */
  parameters: readonly { tag: string; value: string }[];
  /** Whether the value does not match the grammar. Then it permits no authority. */
  isMalformed: boolean;
}

const LABEL = String.raw`[a-z\d](?:-*[a-z\d])*`;
const PARAMETER = String.raw`([a-z\d]+)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)`;
const ISSUE_VALUE = new RegExp(String.raw`^[ \t]*(${LABEL}(?:\.${LABEL})*)?[ \t]*(?:;(.*))?$`, 'i');
const ONE_PARAMETER = new RegExp(String.raw`^[ \t]*${PARAMETER}[ \t]*$`, 'i');

/**
 * Parses the value of an `issue` property (RFC 8659, section 4.2). A malformed value permits no authority, as an empty issuer.
 *
 * @param text As decoded, with bytes other than printable ASCII as `\DDD`.
 */
export function parseIssueValue(text: string): IssueValue {
  const value = text.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)));
  const match = ISSUE_VALUE.exec(value);
  if (match === null) return MALFORMED;
  const [, issuer = '', rest = ''] = match;
  if (/^[ \t]*$/.test(rest)) return { issuer: issuer.toLowerCase(), parameters: [], isMalformed: false };
  const found = rest.split(';').map((part) => ONE_PARAMETER.exec(part));
  if (found.some((parameter) => parameter === null)) return MALFORMED;
  const parameters = found.map((parameter) => ({
    tag: (parameter?.[1] ?? '').toLowerCase(),
    value: parameter?.[2] ?? '',
  }));
  return { issuer: issuer.toLowerCase(), parameters, isMalformed: false };
}

const MALFORMED: IssueValue = { issuer: '', parameters: [], isMalformed: true };
