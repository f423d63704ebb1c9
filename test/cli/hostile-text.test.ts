import { describe, expect, test } from 'vitest';
import { OUTPUT_FORMATS, toTerminalLine } from '../../src/cli/output/index.js';
import { runFake, type Scripted } from '../support/fake-context.js';

/** Clears the screen, sets the title, rings, deletes, moves back, uses C1 and bidi controls, and ends the line. */
const HOSTILE =
  'a\u001b[2J\u001b]0;owned\u0007\u0008\u007f\u009b2J\u009d0;x\u009c\u0090q\u202e\u2066\u200f\u2028\u200b\u00ad\u{e0041}\ufe00\r\nerror: x';
/** Control and bidi characters, except tabs and line ends. CSV lines end with CR LF. */
const CONTROL_CHARACTERS =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;
/** The only ones of them that data in a pipe keeps. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Characters without a glyph. Tables show them. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u200b]/u;

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
  ['pets list --fields name,status', list],
  ['pets list --name a', list],
  ['pets get 7 --via list', list],
  ['limits', list],
  ['pets get 7 --via get', one],
  ['pets create --name Rex --category 7', one],
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
      const isRaw = terminals.length === 0 && ['json', 'ndjson', 'yaml'].includes(format);
      expect(isRaw ? stdout.replace(BIDI, '') : stdout).not.toMatch(CONTROL_CHARACTERS);
      expect(stderr).not.toMatch(CONTROL_CHARACTERS);
      if (format === 'table') expect(stdout + stderr).not.toMatch(INVISIBLE);
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

test('no character of Unicode controls the terminal or is invisible in a table', async () => {
  const names: string[] = [];
  for (let first = 0; first <= 0x10ffff; first += 0x400) {
    const codes = Array.from({ length: 0x400 }, (_, index) => first + index);
    names.push(String.fromCodePoint(...codes));
  }
  const shown = names.map((name) => toTerminalLine(name)).join('\n');
  expect(shown.replaceAll('\n', '')).not.toMatch(CONTROL_CHARACTERS);
  expect(shown).not.toMatch(/\p{Cs}/u);
  // One selector after a character that can have a variant is part of the text.
  expect(shown.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0).toBeLessThan(3);
  const body = JSON.stringify(names.slice(0, 64).map((name, id) => ({ id, name, categoryId: 1 })));
  const { stdout } = await runFake('pets list', {
    responses: [{ body }],
    terminals: ['stdout'],
    columns: 80,
  });
  expect(stdout.replaceAll(/\u001b\[\d+m/g, '').replaceAll('\n', '')).not.toMatch(CONTROL_CHARACTERS);
  expect(stdout.split('\n')).toHaveLength(64 + 2);
});
