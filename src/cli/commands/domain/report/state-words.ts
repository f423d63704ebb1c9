import {
  CERTIFICATE_DUE_MS,
  type Finding,
  type State,
  todoLines,
  type VerdictExitCode,
} from '../../../../domain/index.js';
import type { PaintStyle } from '../../../output/index.js';
import type { RenderedReport } from './next-commands.js';

/** How a state is printed. */
export interface StateWords {
  words: string;
  symbol: string;
  style: PaintStyle;
}

const STATES: Readonly<Record<State, StateWords>> = {
  active: { words: 'active', symbol: '✓', style: 'green' },
  verified: { words: 'verified', symbol: '✓', style: 'green' },
  propagating: { words: 'propagating', symbol: '…', style: 'yellow' },
  'action-required': { words: 'action required', symbol: '✗', style: 'red' },
  invalid: { words: 'invalid', symbol: '✗', style: 'red' },
  inconclusive: { words: 'inconclusive', symbol: '?', style: 'yellow' },
};

/**
 * Returns the words, symbol and colour of a state.
 *
 * @param exitCode of the report. A correct state has no tick if the command requires more: 8 with `--until active`, 1 with
 *   `--strict`.
 */
export function stateWords(state: State, exitCode: VerdictExitCode = 0): StateWords {
  const own = STATES[state];
  if (exitCode === 0 || own.symbol !== '✓') return own;
  return { ...STATES[exitCode === 8 ? 'propagating' : 'action-required'], words: own.words };
}

/**
 * Whether only a probe shows that the domain is right, because its records lead elsewhere, such as to a proxy. Every other
 * domain that is right has a finding of the record that says so.
 */
function isOnlyServed(findings: readonly Finding[]): boolean {
  const isRight = findings.some(({ id }) => RIGHT.has(id));
  return !isRight && findings.some(({ id }) => id === 'probe.served');
}

const RIGHT: ReadonlySet<Finding['id']> = new Set<Finding['id']>([
  'record.ok',
  'apex.alias-proved',
  'apex.alias-consistent',
  'apex.looks-copied',
]);

/** The record of a correct domain, in words. An ALIAS is not visible; without a CNAME, only the addresses are. */
export function recordText({ expected, observed, findings }: RenderedReport): string {
  const records = observed.authoritative.flatMap((server) => server.records);
  const seen = records.find((record) => record.startsWith('CNAME '))?.slice('CNAME '.length);
  const addresses = [...new Set(records.filter((record) => /^(A|AAAA) /.test(record)))];
  const isHidden = isOnlyServed(findings) || expected.some(({ type }) => type === 'CNAME');
  if (seen === undefined && isHidden && addresses.length > 0) return addresses.join(', ');
  return expected.map(({ type, label, value }) => `${type} ${label} -> ${seen ?? value}`).join(', ');
}

/** The certificate of a correct domain, in words, with times in UTC. */
export function certificateText({ certificate, verifiedAt }: RenderedReport): string {
  if (certificate === undefined) return 'not checked';
  const { status, addresses } = certificate;
  switch (status) {
    case 'active': {
      const until = addresses.flatMap(({ validTo }) => validTo ?? []).toSorted()[0];
      const issuer = addresses.find((address) => address.issuer !== undefined)?.issuer;
      return `active${until === undefined ? '' : ` until ${until}`}${issuer === undefined ? '' : `, by ${issuer}`}`;
    }
    case 'pending':
      return `not issued yet${otherText(addresses)}${dueText(verifiedAt)}`;
    case 'unknown':
      return 'could not be checked';
    default:
      return status;
  }
}

/** The certificate that the server has instead, by its names. */
function otherText(addresses: NonNullable<RenderedReport['certificate']>['addresses']): string {
  const names = addresses.find((address) => (address.names ?? []).length > 0)?.names ?? [];
  if (names[0] === undefined) return '';
  return `; the server has one for ${names[0]}${names.length > 1 ? ' and others' : ''}`;
}

function dueText(verifiedAt: string | undefined): string {
  if (verifiedAt === undefined) return '';
  return `; overdue at ${new Date(Date.parse(verifiedAt) + CERTIFICATE_DUE_MS).toISOString()}`;
}

/** Explains the state in a sentence. */
export function stateSentence({ state, observed, estimate, findings }: RenderedReport): string {
  const isAtResolvers = observed.recursive.length > 0 && findings.some(({ id }) => id === 'prop.done');
  const isViewOfResolver =
    observed.authoritative.length === 0 &&
    findings.some(({ id }) => id === 'zone.intercepted' || id === 'zone.unreachable-ns');
  const servers = isViewOfResolver
    ? 'the resolver; the name servers could not be queried'
    : isAtResolvers
      ? isPartial(findings)
        ? 'every resolver, and at every name server that responded'
        : 'every name server and resolver'
      : isPartial(findings)
        ? 'every name server that responded'
        : 'every name server';
  const doubt = resolverDoubt({ findings, observed });
  const note = doubt === undefined ? '' : ` ${doubt}`;
  if (isOnlyServed(findings) && (state === 'active' || state === 'verified'))
    return `The platform serves the domain${state === 'active' ? ', with an active certificate' : ''}, probably through a proxy. DNS shows other records, so the record behind the proxy is unknown.${note}`;
  switch (state) {
    case 'active':
      return `Correct at ${servers}, with an active certificate.${note}`;
    case 'verified':
      return `Correct at ${servers}.${note}`;
    case 'propagating':
      return estimate === null && !findings.some(({ id, severity }) => STALE.has(id) && severity === 'wait')
        ? 'The record is correct, but not yet at every name server.'
        : 'DNS is correct and still propagating.';
    case 'action-required':
      return actionSentence(findings);
    case 'inconclusive':
      return `Could not check: ${uncheckedReason(findings, observed)}.`;
    case 'invalid':
      return 'Nothing was checked.';
  }
}

/** What the resolvers warn of, in a sentence, although the record is correct at its name servers. */
export function resolverDoubt({
  findings,
  observed: { recursive },
}: Pick<RenderedReport, 'findings' | 'observed'>): string | undefined {
  const warnings = findings.filter(({ axis, severity }) => axis === 'propagation' && severity === 'warn');
  const stale = warnings.filter(({ id }) => STALE.has(id));
  if (warnings.length === recursive.length && stale.length < warnings.length)
    return 'No resolver confirmed it, so visitors may not reach the domain.';
  return stale.length > 0 ? 'A resolver still caches an old response.' : undefined;
}

const STALE: ReadonlySet<Finding['id']> = new Set<Finding['id']>([
  'prop.stale-positive',
  'prop.stale-negative',
]);

/** A server without a response may have another copy of the zone. */
function isPartial(findings: readonly Finding[]): boolean {
  return findings.some(
    ({ id, severity }) => (id === 'zone.unreachable-ns' || id === 'zone.lame-ns') && severity === 'warn',
  );
}

function uncheckedReason(findings: readonly Finding[], observed: RenderedReport['observed']): string {
  const unknown = findings.filter((finding) => finding.severity === 'unknown' && isOfDns(finding));
  if (unknown.some(({ id }) => id === 'zone.intercepted')) return 'this network intercepts DNS';
  if (unknown.some(({ id }) => id === 'time.ran-out')) return 'the time limit ended the check';
  const sentMalformed = observed.authoritative.some(({ failure }) => failure === 'malformed');
  if (observed.authoritative.some(({ failure }) => failure === 'not-sent'))
    return 'the name servers have addresses that are not public';
  if (unknown.some(({ id }) => id === 'zone.unreachable-ns') && !sentMalformed) {
    return 'the name servers did not respond';
  }
  if (unknown.some(({ axis }) => axis === 'zone')) return 'the name servers sent no usable response';
  return unknown.length > 0 && unknown.every(({ axis }) => axis === 'propagation')
    ? 'a resolver sent no usable response'
    : 'a DNS query failed';
}

/** Whether the state may change without an action of the owner, such as by an issued certificate. */
export function waitingHelps({ state, findings }: Pick<RenderedReport, 'state' | 'findings'>): boolean {
  if (state !== 'action-required') return true;
  const blocks = findings.filter(({ severity }) => severity === 'block');
  return blocks.every(({ axis }) => axis === 'certificate' || axis === 'redirect');
}

/** A plan, a deploy, the certificate or a redirect blocks too, but needs no change of the record. */
function actionSentence(findings: readonly Finding[]): string {
  const axes = new Set(findings.filter(({ severity }) => severity === 'block').map(({ axis }) => axis));
  const isOnly = (...wanted: Finding['axis'][]): boolean => [...axes].every((axis) => wanted.includes(axis));
  if (isOnly('redirect')) return 'The record needs no change, but a redirect needs a fix.';
  if (isOnly('certificate', 'redirect'))
    return 'The record needs no change, but the certificate needs a fix.';
  return isOnly('plan', 'deploy', 'certificate', 'redirect')
    ? 'Action is required. Waiting will not help.'
    : 'DNS needs a change. Waiting will not help.';
}

/**
 * Returns the most important action or reason in one line, or the empty string.
 *
 * @param exitCode Exit code for the report, if known. With 1, the reason may be a warning (--strict), not the state.
 */
export function briefAdvice(report: RenderedReport, exitCode?: VerdictExitCode): string {
  const { findings } = report;
  const reason =
    findings.find(({ severity }) => severity === 'block') ??
    findings.find(({ severity }) => severity === 'warn');
  const finding = exitCode === 1 ? reason : (reasonOfState(report) ?? reason);
  // Without its message, a fix is clear only if a change is needed.
  const isChange = finding?.severity === 'block' && finding.fix !== undefined;
  const [first] = todoLines(report);
  const place = first !== undefined && first.records.length > 0 ? `${first.text}. ` : '';
  return isChange ? place + stepText(finding) : (finding?.message ?? '');
}

/** The step that fixes a finding. A suggested name is clear only after what is wrong with the given one. */
export function stepText({ axis, message, fix }: Finding): string {
  if (fix === undefined) return message;
  return axis === 'name' ? `${message} ${fix.text}` : fix.text;
}

/** The finding that decides the state. For a verified domain, the one about its certificate. */
function reasonOfState({ findings, state }: RenderedReport): Finding | undefined {
  switch (state) {
    case 'action-required':
      return findings.find(({ severity }) => severity === 'block');
    case 'propagating':
      return findings.find(({ severity }) => severity === 'wait');
    case 'inconclusive':
      return findings.find((finding) => finding.severity === 'unknown' && isOfDns(finding));
    default:
      return findings.find(({ axis, severity }) => axis === 'certificate' && severity !== 'info');
  }
}

/** An unknown plan or deploy never makes a check inconclusive. */
function isOfDns({ axis }: Finding): boolean {
  return axis === 'name' || axis === 'zone' || axis === 'record' || axis === 'propagation';
}
