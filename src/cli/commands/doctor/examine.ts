import type { Session } from '../../session/session.js';
import { startLimitSignal } from '../../system/time-limit.js';
import { checkBudget } from './budget-check.js';
import { type CheckResult, runStep, type Step } from './check.js';
import { checkPermissions } from './file-permissions.js';
import { checkSettings, GATE, type InvalidSetting, sessionWithout } from './invalid-settings.js';
import { keyVerdict, sendRequest, serviceSteps, skipped } from './service.js';
import { checkProgram, readSetup, setupSteps } from './setup.js';

/** The default time limit of all checks together. */
const TIMEOUT_MS = 30_000;

/**
 * Runs every check. A problem in one check does not stop the others.
 *
 * @throws Interruption; with --curl and --dry-run the error that ends the command.
 */
export async function examine(
  offline: boolean,
  invalid: readonly InvalidSetting[],
  original: Session,
): Promise<CheckResult[]> {
  const { context, global } = original;
  const { signal, cancel } = startLimitSignal(global.timeoutMs ?? TIMEOUT_MS, context);
  const opened: Session[] = [];
  const open = (...without: readonly { variable: string }[]): Session => {
    const session = sessionWithout([...invalid, ...without], original, signal);
    if (session !== original) opened.push(session);
    return session;
  };
  try {
    const session = open();
    const setup = readSetup(session);
    const budget = await checkBudget(session, offline);
    // A store that does not work would only delay the request.
    const requesting = budget.state === 'ok' ? session : open({ variable: GATE });
    const outcome = offline ? skipped('--offline') : await sendRequest(setup, requesting);
    context.signal.throwIfAborted();
    const steps: readonly Step[] = [
      { id: 'program', run: () => checkProgram(session.context) },
      { id: 'settings', run: () => checkSettings(invalid, session.context.env) },
      ...(await setupSteps(setup, keyVerdict(outcome), session)),
      { id: 'permissions', run: () => checkPermissions(session.context) },
      { id: 'state', run: () => budget },
      ...serviceSteps(outcome, session),
    ];
    const checks: CheckResult[] = [];
    for (const step of steps) checks.push(await runStep(step));
    return checks;
  } finally {
    cancel();
    await Promise.allSettled(opened.map((session) => session.close()));
  }
}
