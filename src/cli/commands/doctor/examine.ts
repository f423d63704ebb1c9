import type { Session } from '../../session/action.js';
import type { Connection } from '../../system/connection.js';
import { startTimeLimit } from '../../system/time-limit.js';
import { budgetCheck, findBudgetStore, readBudget } from './budget-check.js';
import { type Check, isKnown, isProblem } from './check.js';
import { permissionsCheck } from './file-permissions.js';
import { authoritiesCheck, proxyCheck, readProxy, resolversCheck } from './network-checks.js';
import { type RequestResult, sendRequest } from './request.js';
import { serviceChecks } from './service-checks.js';
import { readSetup, type Setup } from './setup.js';
import { setupChecks } from './setup-checks.js';
import { completionCheck, terminalCheck } from './terminal-checks.js';
import { type InvalidInput, type SessionChanges, validSession } from './valid-session.js';

/** The default time limit of all checks together. */
const TIMEOUT_MS = 30_000;

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
    const setup = await readSetup(session);
    const proxy = await readProxy(setup, session);
    const local = [await permissionsCheck(session.context)];
    const [resolvers, store] = await Promise.all([
      resolversCheck(setup, proxy, offline, session),
      invalid.gate ?? findBudgetStore(session, offline),
    ]);
    // A store that does not work would only delay the request.
    const isGateUsable = !isProblem(store) && store.obstacle === undefined;
    const requesting = isGateUsable ? session : open({ isGateUsable: false });
    const result = offline ? OFFLINE : await sendRequest(setup, proxy, requesting, () => established);
    context.signal.throwIfAborted();
    return [
      ...setupChecks(setup, invalid.settings, result, session.context),
      ...local,
      await stateCheck({ store, offline, setup, session: requesting }),
      await completionCheck(session.context),
      terminalCheck(session),
      proxyCheck(proxy),
      authoritiesCheck(invalid.authorities),
      resolvers,
      ...serviceChecks(result, {
        setup,
        proxy: typeof proxy === 'object' && 'address' in proxy ? proxy : undefined,
        authorities: invalid.authorities,
        context: session.context,
      }),
    ];
  } finally {
    cancel();
    await Promise.allSettled(opened.map((session) => session.close()));
  }
}

const OFFLINE: RequestResult = { connection: { skipped: '--offline' }, response: { skipped: '--offline' } };

async function stateCheck({
  store,
  offline,
  setup,
  session,
}: {
  store: Awaited<ReturnType<typeof findBudgetStore>> | NonNullable<InvalidInput['gate']>;
  offline: boolean;
  setup: Setup;
  session: Session;
}): Promise<Check> {
  if (isProblem(store)) {
    const hint = store.hint === undefined ? '' : ` Or: ${store.hint}`;
    return { id: 'state', state: 'failed', finding: store.problem, remedy: `Unset PETSTORE_GATE.${hint}` };
  }
  const canRead =
    isKnown(setup.destination) &&
    store.obstacle === undefined &&
    (store.kind === 'file' || (store.kind === 'redis' && !offline));
  return budgetCheck(store, canRead ? await readBudget(session) : undefined, session.global.reservePercent);
}
