import { describe, expect, test } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/cli/output/index.js';
import { runFake, type Scripted } from '../support/fake-context.js';

/** Clears the screen, sets the title, rings, deletes, moves back, uses C1 and bidi controls, and ends the line. */
const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007\u0008\u007f\u009b2J\u202e\u2066\u200f\u2028\r\nerror: x';
/** Control and bidi characters, except tabs and line ends. CSV lines end with CR LF. */
const CONTROL_CHARACTERS =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

const pet = { id: 7, name: HOSTILE, categoryId: 7, status: HOSTILE, [HOSTILE]: HOSTILE };
const list: Scripted = { body: JSON.stringify([pet]) };
const one: Scripted = { status: 201, body: JSON.stringify(pet) };
const rejection: Scripted = {
  status: 400,
  headers: { 'x-request-id': HOSTILE, 'x-note': HOSTILE },
  body: JSON.stringify({ code: HOSTILE, message: HOSTILE, status: 400 }),
};

const LINES: readonly (readonly [string, Scripted])[] = [
  ['pets list', list],
  ['pets list --query [].name', list],
  ['pets get 7 --via get', one],
  ['pets create --name Rex --category-id 7', one],
  ['api /pets -i', { ...list, headers: { 'x-note': HOSTILE } }],
  ['pets list', rejection],
  ['api /pets -i', rejection],
  ['api /pets', { body: `<p>${HOSTILE}`, headers: { 'content-type': HOSTILE } }],
];

describe.each(LINES)('escapes control characters of the service: %s', (line, response) => {
  test.each(OUTPUT_FORMATS)('-o %s', async (format) => {
    for (const terminals of [[], ['stdout', 'stderr']] as const) {
      const { stdout, stderr } = await runFake(`${line} -v --color never -o ${format}`, {
        responses: [response],
        terminals,
        columns: 200,
      });
      expect(stdout).not.toMatch(CONTROL_CHARACTERS);
      expect(stderr).not.toMatch(CONTROL_CHARACTERS);
      // A line from the service must not look like an error message of petstore.
      expect(stderr).not.toMatch(/^error: x$/m);
    }
  });
});

test.each([
  ['json', '-o json'],
  ['ndjson', '-o ndjson'],
])('%s contains the whole text, escaped', async (_, flags) => {
  const { stdout } = await runFake(`pets get 7 --via get ${flags}`, { responses: [one] });
  expect(JSON.parse(stdout)).toEqual(pet);
});

test('an error in JSON contains the whole text, escaped', async () => {
  const { stderr } = await runFake('pets list --json', { responses: [rejection] });
  expect(stderr).not.toMatch(CONTROL_CHARACTERS);
  expect(JSON.parse(stderr).error.code).toContain('owned');
});
