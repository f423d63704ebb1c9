import type { Session } from '../../session/action.js';
import { checkAnnotations } from '../../progress/annotation.js';
import { colorSetting } from '../../config/settings.js';
import { type Context, variable } from '../../system/context.js';
import type { Connection } from '../../system/connection.js';
import { choice } from '../../command-line/flag-values.js';
import { gateSetting } from '../../config/gate.js';
import { OUTPUT_FORMATS } from '../../output/index.js';
import { createSession } from '../../session/session.js';
import { readTerminal } from '../../session/terminal.js';
import { attempt, isProblem, type Problem } from './check.js';
import { type AuthorityFile, readAuthorityFiles } from './network-checks.js';

/** A variable with an invalid value. */
export interface SettingProblem extends Problem {
  variable: string;
}

/** Invalid input that makes other commands fail. Doctor reports it once, then continues without it. */
export interface InvalidInput {
  settings: readonly SettingProblem[];
  /** The files of certificate authorities, valid or not. */
  authorities: readonly AuthorityFile[];
  /** The problem of `PETSTORE_GATE`. */
  gate?: Problem;
}

export async function findInvalidInput(session: Session): Promise<InvalidInput> {
  const { context } = session;
  const gate = await attempt(() => void gateSetting(context));
  return {
    settings: await findSettingProblems(context),
    authorities: await readAuthorityFiles(session),
    ...(isProblem(gate) ? { gate } : {}),
  };
}

/** Differences from the session of the program. */
export interface SessionChanges {
  /** Aborted by ^C or the time limit of all checks. */
  signal: AbortSignal;
  /** Whether the rate budget can be stored where `PETSTORE_GATE` says. Default: whether that is valid. */
  isGateUsable?: boolean;
  onConnect?: (connection: Connection) => void;
}

/** Creates a session without the invalid input. */
export function validSession(
  session: Session,
  invalid: InvalidInput,
  { signal, isGateUsable = invalid.gate === undefined, onConnect }: SessionChanges,
): Session {
  // With --curl and --dry-run the program shows the requests that its own session recorded.
  if (session.recorder !== undefined) return session;
  const { context } = session;
  const { caFile, ...global } = session.global;
  const isCaFileInvalid = invalid.authorities.some((file) => file.source === '--ca' && isProblem(file));
  const ca = caFile === undefined || isCaFileInvalid ? {} : { caFile };
  const env = { ...context.env };
  for (const { variable: name } of invalid.settings) env[name] = '';
  if (!isGateUsable) env.PETSTORE_GATE = 'memory';
  const network: Context['network'] = (settings) =>
    context.network({ ...settings, ...(onConnect === undefined ? {} : { onConnect }) });
  const changed = { ...context, env, signal, network };
  return createSession({ ...global, ...ca }, changed, () => session.commandTree());
}

/** How each variable is validated. */
const SETTINGS: Readonly<Record<string, (context: Context) => unknown>> = {
  PETSTORE_OUTPUT(context) {
    const format = variable(context, 'PETSTORE_OUTPUT');
    return format === undefined ? undefined : choice('PETSTORE_OUTPUT', OUTPUT_FORMATS, format);
  },
  PETSTORE_COLOR: (context) => colorSetting({}, context),
  PETSTORE_FORCE_TTY: (context) => readTerminal(context, { color: undefined, profileColor: undefined }),
  PETSTORE_ANNOTATIONS: checkAnnotations,
};

async function findSettingProblems(context: Context): Promise<SettingProblem[]> {
  const problems: SettingProblem[] = [];
  for (const [name, validate] of Object.entries(SETTINGS)) {
    const result = await attempt(() => void validate(context));
    if (isProblem(result)) problems.push({ variable: name, ...result });
  }
  return problems;
}
