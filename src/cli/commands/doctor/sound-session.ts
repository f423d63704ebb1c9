import type { Session } from '../../action.js';
import { checkAnnotations } from '../../annotation.js';
import { chosenColor } from '../../config.js';
import { type Context, variable } from '../../context.js';
import { choice } from '../../flag-values.js';
import { chosenGate } from '../../gate.js';
import { OUTPUT_FORMATS } from '../../output/index.js';
import { createSession } from '../../session.js';
import { readTerminal } from '../../terminal.js';
import type { KnownFault, SettingFault } from './facts.js';
import { faultOf } from './fault.js';

/** What each of these variables may hold, by who else reads it. */
const SETTINGS: Readonly<Record<string, (context: Context) => unknown>> = {
  PETSTORE_OUTPUT(context) {
    const format = variable(context, 'PETSTORE_OUTPUT');
    return format === undefined ? undefined : choice('PETSTORE_OUTPUT', OUTPUT_FORMATS, format);
  },
  PETSTORE_COLOR: (context) => chosenColor({}, context),
  PETSTORE_FORCE_TTY: (context) => readTerminal(context, { color: undefined, profileColor: undefined }),
  PETSTORE_ANNOTATIONS: checkAnnotations,
};

/** Every variable that stops all commands by what it holds. */
export function faultySettings(context: Context): SettingFault[] {
  return Object.entries(SETTINGS).flatMap(([name, read]) => {
    const fault = faultIn(() => read(context));
    return fault === undefined ? [] : [{ variable: name, ...fault }];
  });
}

/** What must not stop the rest: it has been told of. */
export interface Unsound {
  settings: readonly SettingFault[];
  isCaFileFaulty: boolean;
  /** Whether the place of the rate budget is not to be used. */
  isGateFaulty: boolean;
  /** Ends what is under way: ^C, or the time that all of it may take. */
  signal: AbortSignal;
}

/** The same session as if what is wrong were not there. */
export function soundSession(session: Session, unsound: Unsound): Session {
  // What --curl and --dry-run hold back is looked for in the session that the program made.
  if (session.recorder !== undefined) return session;
  const { caFile, ...global } = session.global;
  const ca = caFile === undefined || unsound.isCaFileFaulty ? {} : { caFile };
  const env = { ...session.context.env };
  for (const { variable: name } of unsound.settings) env[name] = '';
  if (unsound.isGateFaulty) env.PETSTORE_GATE = 'memory';
  // Whatever else the context offers is taken from it when it is used, and not before: stdin is opened by a look.
  const context: Context = Object.create(session.context, {
    env: { value: env },
    signal: { value: unsound.signal },
  }) as Context;
  return createSession({ ...global, ...ca }, context, () => session.commandTree());
}

export function gateFault(context: Context): KnownFault | undefined {
  return faultIn(() => chosenGate(context));
}

function faultIn(look: () => unknown): KnownFault | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
