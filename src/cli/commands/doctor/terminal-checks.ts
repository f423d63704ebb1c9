import { existsSync } from 'node:fs';
import type { Session } from '../../session/action.js';
import type { Settings } from '../../config/settings.js';
import { type Context, variable } from '../../system/context.js';
import { COLOR_CHOICES, type ColorDecision, decideColor } from '../../output/index.js';
import type { Terminal } from '../../output/terminal.js';
import { readTerminal } from '../../session/terminal.js';
import { readSeenPets, seenPetsPath } from '../../completion/seen-pets.js';
import { shellWord } from '../../text/shell-word.js';
import { attempt, type Check, isProblem } from './check.js';
import { counted } from '../../text/counted.js';

const DEPTHS = ['no colours', '16 colours', '256 colours', 'all colours'] as const;

export function terminalCheck(session: Session): Check {
  const { color: choice, profileColor } = colorSettings(session);
  const { isTTY, width } = terminalOf(session).stdout;
  const decision = decideColor({ choice, env: session.context.env, profileColor, isTTY });
  const decidedBy = describeDecision(decision.decidedBy, isTTY, session);
  const where = isTTY ? `${String(width)} columns` : 'stdout is not a terminal';
  return {
    id: 'terminal',
    state: 'info',
    finding: `${where}; ${DEPTHS[decision.level]} (${decidedBy})`,
    details: { isTTY, width, colorLevel: decision.level, decidedBy },
  };
}

/** The terminal, also if the configuration is invalid. */
export function terminalOf(session: Session): Terminal {
  return readTerminal(session.context, colorSettings(session));
}

/** Ignores an invalid configuration, which another check reports. */
function colorSettings(session: Session): Pick<Settings, 'color' | 'profileColor'> {
  try {
    return session.settings;
  } catch {
    const { context, global } = session;
    const named = variable(context, 'PETSTORE_COLOR');
    return {
      color: global.color ?? COLOR_CHOICES.find((choice) => choice === named),
      profileColor: undefined,
    };
  }
}

function describeDecision(
  decidedBy: ColorDecision['decidedBy'],
  isTTY: boolean,
  { global }: Session,
): string {
  switch (decidedBy) {
    case 'choice':
      return global.color === undefined ? 'PETSTORE_COLOR' : '--color';
    case 'profileColor':
      return 'the profile';
    case 'isTTY':
      return isTTY ? 'a terminal' : 'not a terminal';
    default:
      return decidedBy;
  }
}

/** The pet ids that shell completion offers. */
export async function completionCheck(context: Context): Promise<Check> {
  const id = 'completion';
  const path = seenPetsPath(context);
  const pets = await attempt(() => (existsSync(path) ? readSeenPets(context).length : 0));
  if (isProblem(pets)) {
    const remedy = `rm ${shellWord(path)}`;
    return { id, state: 'warn', finding: `${path} can't be read`, remedy, details: { path, pets: null } };
  }
  const finding =
    pets === 0
      ? 'no pet ids to complete yet: petstore pets list stores them'
      : `${counted(pets, 'pet id')} to complete in ${path}`;
  return { id, state: 'info', finding, details: { path, pets } };
}
