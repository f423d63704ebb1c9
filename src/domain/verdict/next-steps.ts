import { digCommand } from '../views/evidence.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { printable } from '../finding/printable.js';
import type { Estimate, NextStep, State } from '../report/report.js';
import { judgedServers } from '../views/server-view.js';

/** What to run next, and when. Commands can be pasted as they are. */
export function nextSteps(
  facts: Facts,
  state: State,
  findings: readonly Finding[],
  estimate: Estimate | null,
): NextStep[] {
  const { domain, target } = facts;
  const verify = `petstore domain verify ${domain.ascii} --target ${target}`;
  const steps: Readonly<Record<State, () => NextStep[]>> = {
    invalid: () => [{ command: 'petstore domain verify --help', when: 'when the name is corrected' }],
    'action-required': () => [
      ...(needsRecord(findings)
        ? [
            {
              command: `petstore domain records ${domain.ascii} --target ${target}`,
              when: 'now, for what to type',
            },
          ]
        : []),
      { command: `${verify} --wait`, when: 'now; it goes on while you edit the records' },
      { command: sourceCommand(facts), when: 'to see what the name server says' },
    ],
    propagating: () => [
      { command: `${verify} --wait`, when: 'now, to wait until it is everywhere' },
      { command: verify, when: estimate === null ? 'in a few minutes' : `after ${estimate.latest}` },
    ],
    verified: () => [
      {
        command: `petstore domain cert ${domain.ascii}`,
        when: 'in a few minutes, when the certificate is issued',
      },
      { command: `${verify} --until active --wait`, when: 'now, to wait for the certificate' },
    ],
    active: () => [
      { command: `petstore domain cert ${domain.ascii}`, when: 'at any time, to see the certificate' },
    ],
    inconclusive: () => [
      ...(facts.ranOutAfterMs === undefined
        ? [
            { command: verify, when: 'in a minute, when the network may be better' },
            { command: `${verify} --no-public`, when: 'if public resolvers are closed off here' },
          ]
        : [
            {
              command: `${verify} --timeout ${String(longerSeconds(facts.ranOutAfterMs))}s`,
              when: 'now, with more time',
            },
          ]),
      { command: sourceCommand(facts), when: 'to see whether a name server can be asked at all' },
    ],
  };
  return steps[state]().map(({ command, when }) => ({ command: printable(command), when: printable(when) }));
}

/** What a silent server takes is in it: three tries of some seconds for each step on the way to the zone. */
const ENOUGH_SECONDS = 60;

function longerSeconds(ranOutAfterMs: number): number {
  return Math.max(ENOUGH_SECONDS, Math.ceil((2 * ranOutAfterMs) / 1_000));
}

function needsRecord(findings: readonly Finding[]): boolean {
  return findings.some(({ axis, severity }) => axis === 'record' && severity === 'block');
}

/** Never a question about the domain to the user's own resolver, which would remember that there is nothing. */
function sourceCommand(facts: Facts): string {
  const server = judgedServers(facts)[0] ?? facts.servers[0];
  if (server === undefined) return `${digCommand(undefined, facts.zone.registrable, 'NS')} +trace`;
  return digCommand(server.server, facts.domain.ascii, facts.zone.kind === 'apex' ? 'A' : 'CNAME');
}
