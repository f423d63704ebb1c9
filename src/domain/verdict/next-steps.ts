import { digCommand } from '../views/evidence.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { printable } from '../finding/printable.js';
import type { Estimate, NextAction, NextStep } from '../report/report.js';
import { decisiveServers } from '../views/server-view.js';
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
      return [
        ...(needsRecord(findings)
          ? [nextStep({ step: 'records', ...subject }, 'Show the record to set')]
          : []),
        ...(needsDnsChange(findings)
          ? [nextStep({ ...verify, wait: true }, 'Watch until the record is visible')]
          : []),
        ...(needsCertificate(findings)
          ? [
              nextStep({ step: 'cert', ...subject }, 'Show the certificate'),
              nextStep({ ...verify, until: 'active', wait: true }, 'Watch until the certificate is issued'),
            ]
          : []),
        nextStep(sourceQuery(facts), 'Query the name server directly'),
      ];
    case 'propagating':
      return [
        nextStep({ ...verify, wait: true }, 'Watch until all resolvers have the record'),
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
      return [
        ...(facts.ranOutAfterMs === undefined
          ? [
              nextStep(verify, 'Check again in a minute'),
              nextStep(
                { ...verify, noPublic: true },
                'Check without public resolvers, if they are blocked here',
              ),
            ]
          : [
              nextStep(
                { ...verify, timeoutMs: longerTimeoutMs(facts.ranOutAfterMs) },
                'Check again with more time',
              ),
            ]),
        nextStep(sourceQuery(facts), 'Test whether a name server responds'),
      ];
  }
}

/** A step with its command. */
export function nextStep(action: NextAction, when: string): NextStep {
  return { command: printable(commandOf(action)), when: printable(when), action };
}

function commandOf(action: NextAction): string {
  if (action.step === 'dig') return action.command;
  if (action.step === 'cert') return `petstore domain cert ${action.domain}`;
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

function needsRecord(findings: readonly Finding[]): boolean {
  return findings.some(({ axis, severity }) => axis === 'record' && severity === 'block');
}

/** A plan, a missing deploy, the certificate or a redirect needs no change of DNS. */
function needsDnsChange(findings: readonly Finding[]): boolean {
  return findings.some(({ axis, severity }) => severity === 'block' && !OTHER_AXES.has(axis));
}

const OTHER_AXES: ReadonlySet<Finding['axis']> = new Set<Finding['axis']>([
  'plan',
  'deploy',
  'certificate',
  'redirect',
]);

function needsCertificate(findings: readonly Finding[]): boolean {
  return findings.some(({ axis, severity }) => severity === 'block' && axis === 'certificate');
}

/** A dig command for a name server. A query to the user's resolver would cache the absence of the record. */
function sourceQuery(facts: Facts): NextAction {
  const server = decisiveServers(facts)[0] ?? facts.servers[0];
  const command =
    server === undefined
      ? `${digCommand(undefined, facts.zone.registrable, 'NS')} +trace`
      : digCommand(server.server, facts.domain.ascii, facts.zone.kind === 'apex' ? 'A' : 'CNAME');
  return { step: 'dig', command };
}
