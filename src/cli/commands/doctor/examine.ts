import type { Session } from '../../session/action.js';
import type { Connection } from '../../system/connection.js';
import { startTimeLimit } from '../../system/time-limit.js';
import { checkBudget, findBudgetStore } from './budget-check.js';
import { type Check, runStep, type Step } from './check.js';
import { checkPermissions } from './file-permissions.js';
import { type RequestResult, sendRequest, throws, verdictOf } from './request.js';
import { serviceSteps } from './service.js';
import { checkProgram, checkProxy, readSetup, setupSteps } from './setup.js';
import {
  checkAuthorities,
  checkSettings,
  type InvalidInput,
  type SessionChanges,
  validSession,
} from './valid-session.js';

/** The default time limit of all checks together. */
const TIMEOUT_MS = 30_000;

const OFFLINE: RequestResult = {
  connection: throws('--offline'),
  response: throws('--offline'),
  skewMs: throws('--offline'),
};

/**
 * Runs every check. A problem in one check does not stop the others.
 *
 * @throws Interruption; with --curl and --dry-run the error that ends the command.
 */
export async function examine(offline: boolean, invalid: InvalidInput, original: Session): Promise<Check[]> {
  const { context, global } = original;
  const { signal, cancel } = startTimeLimit(global.timeoutMs ?? TIMEOUT_MS, context);
  const opened: Session[] = [];
  let established: Connection | undefined;
  const open = (changes: Omit<SessionChanges, 'signal'> = {}): Session => {
    const onConnect = (connection: Connection): void => void (established = connection);
    const session = validSession(original, invalid, { signal, onConnect, ...changes });
    if (session !== original) opened.push(session);
    return session;
  };
  try {
    const session = open();
    const setup = readSetup(session);
    const store = await findBudgetStore(session, offline);
    // A store that does not work would only delay the request.
    const requesting = store.obstacle === undefined ? session : open({ isGateUsable: false });
    const result = offline ? OFFLINE : await sendRequest(setup, requesting, () => established);
    context.signal.throwIfAborted();
    const steps: readonly Step[] = [
      { id: 'program', run: () => checkProgram(session.context) },
      { id: 'settings', run: () => checkSettings(invalid.settings, session.context.env) },
      ...(await setupSteps(setup, verdictOf(result), session)),
      { id: 'permissions', run: () => checkPermissions(session.context) },
      {
        id: 'state',
        run: () =>
          invalid.gate === undefined ? checkBudget(store, setup, requesting) : checkSettings([invalid.gate]),
      },
      { id: 'proxy', remedy: 'petstore help environment', run: () => checkProxy(setup.proxy) },
      { id: 'authorities', run: () => checkAuthorities(invalid.authorities) },
      ...serviceSteps(result, {
        setup,
        isAuthorityInvalid: invalid.authorities.some(({ problem }) => problem !== undefined),
        context: session.context,
      }),
    ];
    const checks: Check[] = [];
    for (const step of steps) checks.push(await runStep(step));
    return checks;
  } finally {
    cancel();
    await Promise.allSettled(opened.map((session) => session.close()));
  }
}
