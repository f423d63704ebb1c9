import type { Session } from '../../session/session.js';
import { checkAnnotations } from '../../settings/config/annotation.js';
import { isReadSetting, type Setting, SETTINGS } from '../../settings/config/fields.js';
import { PLAIN_VARIABLES, readSetting, rejectQuotes } from '../../settings/config/settings.js';
import type { Context } from '../../system/context.js';
import { ENVIRONMENT_VARIABLES } from '../../settings/config/environment.js';
import { gateSetting } from '../../settings/config/gate.js';
import { suggest } from '../../../options/suggest.js';
import { createSession } from '../../session/create-session.js';
import { readTerminal } from '../../session/terminal.js';
import { describeProblem, type DescribedProblem, type Result } from './check.js';

/** A variable with an invalid value, with which other commands fail. Doctor reports it, then continues without it. */
export interface InvalidSetting extends DescribedProblem {
  variable: string;
}

export const GATE = 'PETSTORE_GATE';

/** How each variable is validated. */
const CHECKS: Readonly<Record<string, (context: Context) => unknown>> = {
  ...Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([name, { variable }]) =>
      variable === undefined || !isReadSetting(name)
        ? []
        : [[variable, (context: Context) => readSetting(name, {}, context)]],
    ),
  ),
  PETSTORE_FORCE_TTY: (context) => readTerminal(context, { color: undefined, profileColor: undefined }),
  PETSTORE_ANNOTATIONS: checkAnnotations,
  [GATE]: gateSetting,
};

const CHECKED: readonly string[] = [...new Set([...Object.keys(CHECKS), ...PLAIN_VARIABLES])];

export function findInvalidSettings(context: Context): InvalidSetting[] {
  return CHECKED.flatMap((name) => {
    try {
      rejectQuotes(name, context);
      CHECKS[name]?.(context);
      return [];
    } catch (error) {
      return [{ variable: name, ...describeProblem(error) }];
    }
  });
}

/** @param env the environment, whose unknown variables have no effect. */
export function checkSettings(invalid: readonly InvalidSetting[], env: Context['env']): Result {
  const known: string[] = ENVIRONMENT_VARIABLES.map(({ name }) => name);
  const unknown = Object.keys(env).filter((name) => name.startsWith('PETSTORE_') && !known.includes(name));
  if (invalid.length > 0) {
    const remedies = invalid.map(({ variable: name, hint }) =>
      hint === undefined ? `Unset ${name}.` : `${hint} Or unset ${name}.`,
    );
    const finding = invalid.map(({ problem }) => problem).join('; ');
    return { state: 'failed', finding, remedy: remedies.join(' ') };
  }
  if (unknown.length === 0) return { state: 'ok', finding: 'all PETSTORE_ variables are valid' };
  const similar = unknown.flatMap((name) => suggest(name, known) ?? []);
  const remedy = similar.length > 0 ? `Did you mean ${similar.join(', ')}?` : 'petstore help environment';
  return { state: 'warn', finding: `unknown, without effect: ${unknown.join(', ')}`, remedy };
}

/**
 * Creates a session without these variables. Without `PETSTORE_GATE`, it has a rate budget of its own.
 *
 * @param signal aborted by ^C or the time limit of all checks.
 */
export function sessionWithout(
  invalid: readonly Pick<InvalidSetting, 'variable'>[],
  session: Session,
  signal: AbortSignal,
): Session {
  // With --curl and --dry-run the program shows the requests that its own session recorded.
  if (session.recorder !== undefined) return session;
  const { context, global } = session;
  const env = { ...context.env };
  for (const { variable: name } of invalid) env[name] = name === GATE ? 'memory' : '';
  const valid = createSession(global, { ...context, env, signal }, () => session.commandTree());
  // Each warning is printed once in all sessions.
  return Object.assign(valid, { warn: session.warn });
}
