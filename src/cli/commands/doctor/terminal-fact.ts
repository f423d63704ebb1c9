import type { Session } from '../../session/action.js';
import type { Settings } from '../../config/settings.js';
import { variable } from '../../system/context.js';
import { COLOR_CHOICES, type ColorDecision, decideColor } from '../../output/index.js';
import type { Terminal } from '../../output/terminal.js';
import { readTerminal } from '../../session/terminal.js';
import type { MachineFacts } from './facts.js';

/** What stdout is, and what decided on its colours. */
export function terminalFact(session: Session): MachineFacts['terminal'] {
  const { color: choice, profileColor } = colorSettings(session);
  const { isTTY, width } = terminalOf(session).stdout;
  const { level, decidedBy } = decideColor({ choice, env: session.context.env, profileColor, isTTY });
  return { isTTY, width, colorLevel: level, decidedBy: nameOf(decidedBy, isTTY, session) };
}

/** What the streams are, as far as it can be told. */
export function terminalOf(session: Session): Terminal {
  return readTerminal(session.context, colorSettings(session));
}

/** A configuration that is wrong must not hide what doctor has to say of it: then flags and variables alone count. */
function colorSettings(session: Session): Pick<Settings, 'color' | 'profileColor'> {
  try {
    return session.settings;
  } catch {
    const { context, global } = session;
    const named = variable(context, 'PETSTORE_COLOR');
    const color = global.color ?? COLOR_CHOICES.find((choice) => choice === named);
    return { color, profileColor: undefined };
  }
}

function nameOf(decidedBy: ColorDecision['decidedBy'], isTTY: boolean, { global }: Session): string {
  switch (decidedBy) {
    case 'choice':
      return global.color === undefined ? 'PETSTORE_COLOR' : '--color';
    case 'profileColor':
      return 'the profile';
    case 'isTTY':
      return isTTY ? 'the terminal' : 'stdout, which is no terminal';
    default:
      return decidedBy;
  }
}
