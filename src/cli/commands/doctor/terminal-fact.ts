import type { Session } from '../../action.js';
import { variable } from '../../context.js';
import { readTerminal, type Terminal } from '../../terminal.js';
import type { MachineFacts } from './facts.js';

/** What stdout is, and what decided on its colours. */
export function terminalFact(session: Session): MachineFacts['terminal'] {
  const { isTTY, width, colorLevel } = terminalOf(session).stdout;
  return { isTTY, width, colorLevel, decidedBy: colorDecider(session, isTTY) };
}

/** A configuration that is wrong must not hide what doctor has to say of it: then flags and variables alone count. */
export function terminalOf(session: Session): Terminal {
  try {
    return session.terminal;
  } catch {
    return readTerminal(session.context, { color: session.global.color, profileColor: undefined });
  }
}

/** In the order of `decideColorLevel`: the first that has an opinion. */
function colorDecider(session: Session, isTTY: boolean): string {
  const { context, global } = session;
  const has = (name: string): boolean => variable(context, name) !== undefined;
  const said = global.color ?? variable(context, 'PETSTORE_COLOR');
  if (said !== undefined && said !== 'auto') return global.color === undefined ? 'PETSTORE_COLOR' : '--color';
  const named = ['NO_COLOR', 'FORCE_COLOR'].find(has);
  if (named !== undefined) return named;
  if (has('CLICOLOR_FORCE') && variable(context, 'CLICOLOR_FORCE') !== '0') return 'CLICOLOR_FORCE';
  const profileColor = profileColorOf(session);
  const isWanted = profileColor === 'always' || (profileColor !== 'never' && isTTY);
  if (isWanted && variable(context, 'CLICOLOR') === '0') return 'CLICOLOR';
  if (isWanted && variable(context, 'TERM') === 'dumb') return 'TERM';
  if (profileColor === 'always' || profileColor === 'never') return 'the profile';
  return isTTY ? 'the terminal' : 'stdout, which is no terminal';
}

function profileColorOf(session: Session): string | undefined {
  try {
    return session.settings.profileColor;
  } catch {
    return undefined;
  }
}
