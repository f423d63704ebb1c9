import type { Session } from '../../session/action.js';
import { checkAnnotations } from '../../status/annotation.js';
import { isReadSetting, type Setting, SETTINGS } from '../../config/fields.js';
import { readSetting } from '../../config/settings.js';
import { type Context, variable } from '../../system/context.js';
import type { Connection } from '../../system/connection.js';
import { ENVIRONMENT_VARIABLES } from '../../config/environment.js';
import { gateSetting } from '../../config/gate.js';
import { suggest } from '../../../options/suggest.js';
import { createSession } from '../../session/session.js';
import { readTerminal } from '../../session/terminal.js';
import { readCertificates } from '../../network/authorities.js';
import { type Problem, problemOf, type Result } from './check.js';

/** A variable with an invalid value. */
interface SettingProblem extends Problem {
  variable: string;
}

/** A file of certificate authorities. */
interface AuthorityFile extends Partial<Problem> {
  source: '--ca' | 'NODE_EXTRA_CA_CERTS';
  file: string;
}

/** Invalid input that makes other commands fail. Doctor reports it once, then continues without it. */
export interface InvalidInput {
  settings: readonly SettingProblem[];
  /** The files of certificate authorities, valid or not. */
  authorities: readonly AuthorityFile[];
  /** The problem of `PETSTORE_GATE`. */
  gate: SettingProblem | undefined;
}

export async function findInvalidInput(session: Session): Promise<InvalidInput> {
  const { context } = session;
  const problems: SettingProblem[] = [];
  for (const [name, validate] of Object.entries(CHECKS)) {
    const problem = await problemOf(() => validate(context));
    if (problem !== undefined) problems.push({ variable: name, ...problem });
  }
  return {
    settings: problems.filter(({ variable: name }) => name !== GATE),
    authorities: await readAuthorityFiles(session),
    gate: problems.find(({ variable: name }) => name === GATE),
  };
}

async function readAuthorityFiles({ global, context }: Session): Promise<AuthorityFile[]> {
  const named = [
    { source: '--ca', file: global.caFile },
    { source: 'NODE_EXTRA_CA_CERTS', file: variable(context, 'NODE_EXTRA_CA_CERTS') },
  ] as const;
  const files: AuthorityFile[] = [];
  for (const { source, file } of named) {
    if (file !== undefined)
      files.push({ source, file, ...(await problemOf(() => readCertificates(source, file, context))) });
  }
  return files;
}

/** @param env the environment, whose unknown variables have no effect. */
export function checkSettings(problems: readonly SettingProblem[], env: Context['env'] = {}): Result {
  const known: string[] = ENVIRONMENT_VARIABLES.map(({ name }) => name);
  const unknown = Object.keys(env).filter((name) => name.startsWith('PETSTORE_') && !known.includes(name));
  if (problems.length === 0 && unknown.length > 0) {
    const finding = `unknown, without effect: ${unknown.join(', ')}`;
    const similar = unknown.flatMap((name) => suggest(name, known) ?? []);
    const remedy = similar.length > 0 ? `Did you mean ${similar.join(', ')}?` : 'petstore help environment';
    return { state: 'warn', finding, remedy, details: { variables: unknown } };
  }
  if (problems.length === 0) return { state: 'ok', finding: 'all PETSTORE_ variables are valid' };
  return {
    state: 'failed',
    finding: problems.map(({ problem }) => problem).join('; '),
    remedy: problems
      .map(({ variable: name, hint }) => `Unset ${name}.${hint === undefined ? '' : ` Or: ${hint}`}`)
      .join(' '),
    details: { variables: problems.map(({ variable: name }) => name) },
  };
}

export function checkAuthorities(files: readonly AuthorityFile[]): Result {
  const invalid = files.filter(({ problem }) => problem !== undefined);
  if (invalid.length === 0) {
    const named = files.map(({ source, file }) => `${file} (${source})`).join(' and ');
    return { state: 'ok', finding: `Node's built-in authorities${named && `, and ${named}`}` };
  }
  // An invalid --ca stops every command. Node ignores an invalid NODE_EXTRA_CA_CERTS.
  const state = invalid.some(({ source }) => source === '--ca') ? 'failed' : 'warn';
  const finding = invalid.map(({ problem }) => problem).join('; ');
  const remedies = invalid.map(
    ({ source, hint = 'Check the file.' }) =>
      `${hint} Or ${source === '--ca' ? 'remove --ca' : `unset ${source}`}.`,
  );
  return { state, finding, remedy: remedies.join(' ') };
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
  const isCaFileInvalid = invalid.authorities.some(
    (file) => file.source === '--ca' && file.problem !== undefined,
  );
  const ca = caFile === undefined || isCaFileInvalid ? {} : { caFile };
  const env = { ...context.env };
  for (const { variable: name } of invalid.settings) env[name] = '';
  if (!isGateUsable) env[GATE] = 'memory';
  const network: Context['network'] = (settings) =>
    context.network({ ...settings, ...(onConnect === undefined ? {} : { onConnect }) });
  const changed = { ...context, env, signal, network };
  const valid = createSession({ ...global, ...ca }, changed, () => session.commandTree());
  // Each warning is printed once in all sessions.
  return Object.assign(valid, { warn: session.warn });
}

const GATE = 'PETSTORE_GATE';

/** How each variable is validated. */
const CHECKS: Readonly<Record<string, (context: Context) => unknown>> = {
  ...Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([name, { variable: named }]) =>
      named === undefined || !isReadSetting(name)
        ? []
        : [[named, (context: Context) => readSetting(name, {}, context)]],
    ),
  ),
  PETSTORE_FORCE_TTY: (context) => readTerminal(context, { color: undefined, profileColor: undefined }),
  PETSTORE_ANNOTATIONS: checkAnnotations,
  [GATE]: gateSetting,
};
