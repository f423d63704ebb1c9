import type { Session } from '../../session/action.js';
import { checkAnnotations } from '../../progress/annotation.js';
import { colorSetting } from '../../config/settings.js';
import { type Context, variable } from '../../system/context.js';
import { choice } from '../../command-line/flag-values.js';
import { gateSetting } from '../../config/gate.js';
import { OUTPUT_FORMATS } from '../../output/index.js';
import { createSession } from '../../session/session.js';
import { readTerminal } from '../../session/terminal.js';
import { lookAtAuthorities } from './authority-files.js';
import type { AuthorityFile, KnownFault, SettingFault } from './facts.js';
import { faultOf, isFault } from './fault.js';

/** What is wrong in flags and variables: it is told of once, and must not stop the rest. */
export interface Unsound {
  /** Every variable that stops all commands by what it holds. */
  settings: readonly SettingFault[];
  /** The files of authorities, right or wrong. */
  authorities: readonly AuthorityFile[];
  /** What is wrong with the place of the rate budget as it was named. */
  gate?: KnownFault;
}

export async function findUnsound(session: Session): Promise<Unsound> {
  const { context } = session;
  const gate = faultIn(() => gateSetting(context));
  return {
    settings: faultySettings(context),
    authorities: await lookAtAuthorities(session),
    ...(gate === undefined ? {} : { gate }),
  };
}

/**
 * The same session as if what is unsound were not there.
 *
 * @param signal ends what is under way: ^C, or the time that all of it may take.
 */
export function soundSession(
  session: Session,
  unsound: Unsound,
  signal: AbortSignal,
  isGateUsable = unsound.gate === undefined,
): Session {
  // What --curl and --dry-run hold back is looked for in the session that the program made.
  if (session.recorder !== undefined) return session;
  const { caFile, ...global } = session.global;
  const isCaFileFaulty = unsound.authorities.some((file) => file.source === '--ca' && isFault(file));
  const ca = caFile === undefined || isCaFileFaulty ? {} : { caFile };
  const env = { ...session.context.env };
  for (const { variable: name } of unsound.settings) env[name] = '';
  if (!isGateUsable) env.PETSTORE_GATE = 'memory';
  // Whatever else the context offers is taken from it when it is used, and not before: stdin is opened by a look.
  const context: Context = Object.create(session.context, {
    env: { value: env },
    signal: { value: signal },
  }) as Context;
  return createSession({ ...global, ...ca }, context, () => session.commandTree());
}

/** What each of these variables may hold, by who else reads it. */
const SETTINGS: Readonly<Record<string, (context: Context) => unknown>> = {
  PETSTORE_OUTPUT(context) {
    const format = variable(context, 'PETSTORE_OUTPUT');
    return format === undefined ? undefined : choice('PETSTORE_OUTPUT', OUTPUT_FORMATS, format);
  },
  PETSTORE_COLOR: (context) => colorSetting({}, context),
  PETSTORE_FORCE_TTY: (context) => readTerminal(context, { color: undefined, profileColor: undefined }),
  PETSTORE_ANNOTATIONS: checkAnnotations,
};

function faultySettings(context: Context): SettingFault[] {
  return Object.entries(SETTINGS).flatMap(([name, read]) => {
    const fault = faultIn(() => read(context));
    return fault === undefined ? [] : [{ variable: name, ...fault }];
  });
}

function faultIn(look: () => unknown): KnownFault | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
