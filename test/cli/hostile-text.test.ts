import { describe, expect, test } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/cli/output/index.js';
import { runFake, type Scripted } from '../support/fake-context.js';

/** Clears the screen, sets the title, rings, deletes, moves back, speaks C1, turns the direction, ends the line. */
const EVIL = 'a\u001b[2J\u001b]0;owned\u0007\u0008\u007f\u009b2J\u202e\u2066\u200f\u2028\r\nerror: x';
/** What may stand in an output: text, and the ends of lines and cells. CSV ends its lines with CR LF. */
const DRIVES_A_TERMINAL =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

const pet = { id: 7, name: EVIL, categoryId: 7, status: EVIL, [EVIL]: EVIL };
const list: Scripted = { body: JSON.stringify([pet]) };
const one: Scripted = { status: 201, body: JSON.stringify(pet) };
const refusal: Scripted = {
  status: 400,
  headers: { 'x-request-id': EVIL, 'x-note': EVIL },
  body: JSON.stringify({ code: EVIL, message: EVIL, status: 400 }),
};

const LINES: readonly (readonly [string, Scripted])[] = [
  ['pets list', list],
  ['pets list --query [].name', list],
  ['pets get 7 --via get', one],
  ['pets create --name Rex --category-id 7', one],
  ['api /pets -i', { ...list, headers: { 'x-note': EVIL } }],
  ['pets list', refusal],
  ['api /pets -i', refusal],
  ['api /pets', { body: `<p>${EVIL}`, headers: { 'content-type': EVIL } }],
];

describe.each(LINES)(
  'shows control characters of the service instead of sending them: %s',
  (line, answer) => {
    test.each(OUTPUT_FORMATS)('-o %s', async (format) => {
      for (const terminals of [[], ['stdout', 'stderr']] as const) {
        const { stdout, stderr } = await runFake(`${line} -v --color never -o ${format}`, {
          answers: [answer],
          terminals,
          columns: 200,
        });
        expect(stdout).not.toMatch(DRIVES_A_TERMINAL);
        expect(stderr).not.toMatch(DRIVES_A_TERMINAL);
        // A line of the service's own making would pass for one of ours.
        expect(stderr).not.toMatch(/^error: x$/m);
      }
    });
  },
);

test.each([
  ['json', '-o json'],
  ['ndjson', '-o ndjson'],
])('%s holds the whole text, escaped', async (_, flags) => {
  const { stdout } = await runFake(`pets get 7 --via get ${flags}`, { answers: [one] });
  expect(JSON.parse(stdout)).toEqual(pet);
});

test('an error in JSON holds the whole text, escaped', async () => {
  const { stderr } = await runFake('pets list --json', { answers: [refusal] });
  expect(stderr).not.toMatch(DRIVES_A_TERMINAL);
  expect(JSON.parse(stderr).error.code).toContain('owned');
});
