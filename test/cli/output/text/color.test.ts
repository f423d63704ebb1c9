import { expect, test } from 'vitest';
import { type ColorFacts, decideColor } from '../../../../src/cli/output/text/color.js';

const onTerminal = (env: ColorFacts['env'], choice?: ColorFacts['choice']) =>
  decideColor({ choice, env, isTTY: true });
const piped = (env: ColorFacts['env'], choice?: ColorFacts['choice']) =>
  decideColor({ choice, env, isTTY: false });

// Each row: the settings, then the result for a terminal and for a pipe. Earlier variables override later ones.
test.each<[ColorFacts['choice'], ColorFacts['env'], number, number]>([
  ['never', { FORCE_COLOR: '3' }, 0, 0],
  ['always', { NO_COLOR: '1' }, 1, 1],
  ['always', { FORCE_COLOR: '3', CLICOLOR_FORCE: '1', TERM: 'dumb' }, 0, 0],
  ['auto', { FORCE_COLOR: '1' }, 1, 1],
  ['auto', { NO_COLOR: '1' }, 0, 0],
  ['auto', {}, 1, 0],
  [undefined, { NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, 0, 0],
  [undefined, { NO_COLOR: '0' }, 0, 0],
  [undefined, { FORCE_COLOR: '1', CLICOLOR: '0' }, 1, 1],
  [undefined, { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, 0, 0],
  [undefined, { FORCE_COLOR: 'false' }, 0, 0],
  [undefined, { FORCE_COLOR: 'true' }, 1, 1],
  [undefined, { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, 1, 1],
  [undefined, { CLICOLOR_FORCE: '0' }, 1, 0],
  [undefined, { CLICOLOR: '0' }, 0, 0],
  [undefined, { CLICOLOR: '1' }, 1, 0],
  [undefined, { TERM: 'dumb' }, 0, 0],
])('decides whether there is colour: %s %o', (choice, env, terminal, pipe) => {
  expect([onTerminal(env, choice), piped(env, choice)]).toEqual([terminal, pipe]);
});

test.each<[Partial<ColorFacts>, number]>([
  [{ env: { NO_COLOR: '1' }, choice: 'auto', profileColor: 'always' }, 0],
  [{ env: { FORCE_COLOR: '1' }, profileColor: 'never' }, 1],
  [{ env: { CLICOLOR_FORCE: '1' }, profileColor: 'never' }, 1],
  [{ env: { TERM: 'dumb' }, profileColor: 'always' }, 0],
  [{ profileColor: 'never' }, 0],
  [{ profileColor: 'always', isTTY: false }, 1],
  [{ profileColor: 'auto', isTTY: false }, 0],
])('a profile: %j: %i', (facts, level) => {
  expect(decideColor({ env: {}, isTTY: true, ...facts })).toBe(level);
});
