import type { Facts } from '../gather/facts/facts.js';
import type { Axis, Finding, Severity } from '../report/finding.js';
import { printable } from '../../schema/control-characters.js';
import type { Estimate, NextAction, NextStep } from '../report/report.js';
import { recordChanges } from '../report/record-changes.js';
import type { CheckedState } from './verdict.js';

/** Returns the commands to run next, in the order of their use. */
export function nextSteps(
  facts: Facts,
  state: CheckedState,
  findings: readonly Finding[],
  estimate: Estimate | null,
): NextStep[] {
  const subject = { domain: facts.domain.ascii, target: facts.target };
  const verify = { step: 'verify', ...subject } as const;
  switch (state) {
    case 'action-required':
      return stepsToAct(facts, findings);
    case 'propagating':
      return [
        nextStep(
          { ...verify, wait: true },
          findings.some(({ axis, severity }) => axis === 'propagation' && severity === 'wait')
            ? 'Watch until all resolvers have the record'
            : 'Watch until all name servers have the record',
        ),
        nextStep(
          verify,
          estimate === null
            ? 'Check again in a few minutes'
            : `Check again after ${estimate.latest.toISOString()}`,
        ),
      ];
    case 'verified':
      return [
        nextStep({ step: 'cert', ...subject }, 'Show the certificate, in a few minutes'),
        nextStep({ ...verify, until: 'active', wait: true }, 'Watch until the certificate is issued'),
      ];
    case 'active':
      return [nextStep({ step: 'cert', ...subject }, 'Show the certificate')];
    case 'inconclusive':
      return [...stepsToRetry(facts, findings), ...evidenceStep(findings, 'unknown')];
  }
}

/** The steps for findings that block. A finding of another severity needs no step. */
function stepsToAct(facts: Facts, findings: readonly Finding[]): NextStep[] {
  const subject = { domain: facts.domain.ascii, target: facts.target };
  const verify = { step: 'verify', ...subject } as const;
  const blocks = findings.filter(({ severity }) => severity === 'block');
  const blocksAxis = (...axes: Axis[]): boolean => blocks.some(({ axis }) => axes.includes(axis));
  const { add, remove } = recordChanges(blocks.filter(({ axis }) => axis === 'record'));
  const recordText =
    add.length > 0
      ? 'Watch until the record is visible'
      : remove.length > 0
        ? 'Watch until the change is visible'
        : 'Watch until DNS is correct';
  const watch = blocksAxis('plan', 'deploy') ? undefined : watchText(blocksAxis, recordText);
  return [
    ...(add.length > 0 ? [nextStep({ step: 'records', ...subject }, 'Show the record to set')] : []),
    ...(watch === undefined ? [] : [nextStep({ ...verify, wait: true }, watch)]),
    ...(blocksAxis('certificate')
      ? [
          nextStep({ step: 'cert', ...subject }, 'Show the certificate'),
          // A wait ends at once if only the caller can change what blocks.
          ...(blocksAxis('plan', 'deploy')
            ? []
            : [
                nextStep({ ...verify, until: 'active', wait: true }, 'Watch until the certificate is issued'),
              ]),
        ]
      : []),
    ...accountStep(verify, blocksAxis),
    ...(blocksAxis('redirect')
      ? [nextStep({ step: 'redirects', ...subject }, 'Check the redirects again after a change')]
      : []),
    ...evidenceStep(findings, 'block'),
  ];
}

function accountStep(verify: NextAction, blocksAxis: (...axes: Axis[]) => boolean): NextStep[] {
  const awaited = [
    ...(blocksAxis('plan') ? ['the upgrade'] : []),
    ...(blocksAxis('deploy') ? ['the deploy'] : []),
  ];
  return awaited.length === 0 ? [] : [nextStep(verify, `Check again after ${awaited.join(' and ')}`)];
}

/** What to watch for while the owner of the domain changes its DNS. Undefined if no change of DNS is needed. */
function watchText(blocksAxis: (...axes: Axis[]) => boolean, recordText: string): string | undefined {
  if (blocksAxis('record')) return recordText;
  if (blocksAxis('zone')) return 'Watch until the zone is fixed';
  if (blocksAxis('caa')) return 'Watch until a certificate can be issued';
  return blocksAxis('name', 'propagation', 'serving') ? 'Watch until DNS is correct' : undefined;
}

function stepsToRetry(facts: Facts, findings: readonly Finding[]): NextStep[] {
  const verify = { step: 'verify', domain: facts.domain.ascii, target: facts.target } as const;
  const { ranOutAfterMs, access, servers, zone } = facts;
  if (ranOutAfterMs !== undefined) {
    const timeoutMs = longerTimeoutMs(ranOutAfterMs);
    return [nextStep({ ...verify, timeoutMs }, 'Check again with more time')];
  }
  if (access !== undefined || findings.some(({ id }) => id === 'zone.intercepted'))
    return [nextStep(verify, 'Check again from another network')];
  // Without servers, the query for them failed. Only then does a default resolver matter.
  const needsResolver = servers.length === 0 && zone.delegation?.outcome === 'failed';
  return [
    nextStep(verify, 'Check again in a minute'),
    ...(needsResolver
      ? [nextStep({ ...verify, noPublic: true }, 'Check without public resolvers, if they are blocked here')]
      : []),
  ];
}

/**
 * The first command of the evidence. It shows the problem that comes first, at a name server of the zone. A query to the
 * user's resolver for a missing record would cache its absence; rules show no such query.
 */
function evidenceStep(findings: readonly Finding[], severity: Severity): NextStep[] {
  const commands = findings
    .filter((finding) => finding.severity === severity && !PROBED.has(finding.axis))
    .flatMap(({ evidence }) => evidence.flatMap(({ command }) => command ?? []));
  const [command] = commands;
  if (command === undefined) return [];
  const when = severity === 'block' ? 'Show the problem with dig' : 'Test whether a server responds';
  return [nextStep({ step: 'dig', command }, when)];
}

/** The evidence of these comes from the probes, and is no query. */
const PROBED: ReadonlySet<Axis> = new Set<Axis>(['certificate', 'redirect', 'serving']);

/** A step with its command. */
export function nextStep(action: NextAction, when: string): NextStep {
  return { command: printable(commandOf(action)), when: printable(when), action };
}

function commandOf(action: NextAction): string {
  if (action.step === 'dig') return action.command;
  if (action.step === 'cert') return `petstore domain cert ${action.domain}`;
  if (action.step === 'redirects') return 'petstore domain redirects';
  const command = `petstore domain ${action.step} ${action.domain} --target ${action.target}`;
  if (action.step === 'records') return command;
  const { until, wait, noPublic, timeoutMs } = action;
  return [
    command,
    ...(until === undefined ? [] : ['--until', until]),
    ...(wait === true ? ['--wait'] : []),
    ...(noPublic === true ? ['--no-public'] : []),
    ...(timeoutMs === undefined ? [] : ['--timeout', `${String(timeoutMs / 1_000)}s`]),
  ].join(' ');
}

/** Enough for a server that does not respond: three attempts of some seconds for each zone on the path. */
const TIMEOUT_MIN_SECONDS = 60;

function longerTimeoutMs(ranOutAfterMs: number): number {
  return Math.max(TIMEOUT_MIN_SECONDS, Math.ceil((2 * ranOutAfterMs) / 1_000)) * 1_000;
}
