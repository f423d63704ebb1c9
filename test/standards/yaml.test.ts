// Values that YAML 1.1 and 1.2 or their readers treat differently (yaml.org/type, yaml.org/spec/1.2.2). Foreign readers
// read what we write: js-yaml and yaml with both schemas, and PyYAML.
import fc from 'fast-check';
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson, stringifyJson } from '../../src/schema/json.js';
import { toYaml } from '../../src/cli/output/rows/yaml.js';
import { runPython, whyNoPyYaml } from '../integration/python.js';
import { IS_FULL, runs, SEED } from '../support/random-runs.js';
import { anyCharacter } from '../support/any-character.js';

const READERS: readonly (readonly [string, (yaml: string) => unknown])[] = [
  ['js-yaml, YAML 1.2', (yaml) => load(yaml, { schema: CORE_SCHEMA })],
  ['js-yaml, YAML 1.1', (yaml) => load(yaml, { schema: YAML11_SCHEMA })],
  ['yaml, YAML 1.2', (yaml) => parse(yaml, { intAsBigInt: true })],
  ['yaml, YAML 1.1', (yaml) => parse(yaml, { intAsBigInt: true, version: '1.1' })],
];

const TEXTS = [
  // other types in YAML 1.1 or 1.2
  ...['=', '<<', '~', '', 'null', 'Null', 'NULL', 'y', 'Y', 'n', 'N', 'yes', 'Yes', 'no', 'e5', 'E+21', 'NO'],
  ...['on', 'On', 'off', 'true', 'True', 'TRUE', 'false', 'False', '.inf', '-.inf', '+.INF', '.nan', '.NaN'],
  ...['NaN', 'Infinity', '0', '-0', '+1', '1', '017', '0o17', '0x1F', '0b1', '1_000', '1,000', '685_230'],
  ...['1:20', '190:20:30', '-190:20:30.15', '.5', '5.', '1.5', '1e3', '1e+21', '1.e+3', '-1E-5', '12e03'],
  ...['9007199254740993', '2026-01-02', '2026-1-2', '2026-01-02T03:04:05Z', '2001-12-14t21:59:43.10-05:00'],
  ...['12:30', '12:30:45'],
  // indicators
  ...['-', '- ', '- a', '?', '? ', '? a', ':', ': ', ': a', 'key: value', 'key:', 'a:b', 'a: ', ':a', 'a :b'],
  ...['#', '# a', 'a #b', 'a#b', 'a # b', '%', '%YAML 1.2', '@', '@a', '`', '`a`', '!', '!!str a', '!a', '&'],
  ...['&a', '*', '*a', '|', '|\n a', '>', '>-', '[', '[a]', ']', '{', '{a: b}', '}', ',', ', a', '"', '"a"'],
  ...["'", "'a'", "it's", 'a "b"', '\\', '\\n', 'a\\', '---', '--- a', '...', '... a', '----', 'a, b'],
  ...['a: {b}', '$', 'a=b'],
  // blanks and line breaks
  ...[' ', '  ', ' a', 'a ', '\t', '\ta', 'a\t', 'a\tb', '\n', '\n\n', ' \n', '\n ', 'a\n', '\na', 'a\nb'],
  ...['a\n\nb', 'a \nb', 'a\n b', 'a\n  b\n c\n', 'a\rb', 'a\r\nb', '\r', '\r\n', 'a\u0085b', 'a\u2028b'],
  ...['\u2029', '\u00a0'],
  ...[
    '\u3000',
    'a  b',
    '\x0b',
    '\x0c',
    `${'word '.repeat(100)}end`,
    `${'word '.repeat(30)}\n${'word '.repeat(30)}`,
  ],
  // characters that readers reject, skip or replace
  ...['\0', '\x01', '\x1b[2J', '\x7f', '\x80', '\x9b', '\x9f', '\ufeff', '\ufeffa', 'a\ufeff', '\ufffe'],
  ...['\uffff', '\ufffd', '\ue000', '\u{1fffe}', '\u{10ffff}', '\u200b', '\u00ad', '\u200d', '\u202e'],
  ...['\u061c', '\u2066'],
  // other scripts
  ...['猫', 'Çà', 'é', 'e\u0301', 'ไม้', 'שלום', 'मा', '🐈', '👨‍👩‍👧', '🇫🇷', 'ẞ', 'ﬁ', '①', '٣', 'Ａ'],
  ...['＝1', 'ａ：ｂ'],
  ...['x'.repeat(5_000), 'é'.repeat(2_000), '"'.repeat(2_000), '\\'.repeat(2_000), '🐈'.repeat(2_000)],
];
/** No reader but JSON's accepts half a surrogate pair in every position. */
const LONE_SURROGATES = ['\ud800', 'a\udfffb', '\udc00\ud800'];

const NUMBERS = [
  0, -1, 0.5, -0.25, 1.5, 100, 1e20, 1e21, 1.5e21, -1e21, 1e-7, 1.5e-7, 5e-324, 1.7976931348623157e308,
];
const IDS = [9007199254740993n, -9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)];

/** Shapes around a text: top level, value, key and item; each by itself and deeper with PETSTORE_TEST_FULL=1. */
function shapes(text: string): unknown[] {
  const inner = { [text]: text };
  const nested = { key: [text, [text, inner]] };
  return IS_FULL
    ? [text, inner, [text], nested, [inner, [[text]]], { [text]: inner }, { [text]: [] }]
    : [text, nested];
}

const EMPTY = [
  [],
  {},
  [[]],
  [{}],
  { a: [] },
  { a: {} },
  [[], [[]]],
  null,
  true,
  false,
  [null, [null]],
  { a: null },
];
const SAMPLES: readonly unknown[] = [
  ...TEXTS.flatMap(shapes),
  'x'.repeat(100_000),
  ...NUMBERS,
  { numbers: NUMBERS },
  ...EMPTY,
];

/** A text of characters that matter to YAML. */
const text = fc.string({
  unit: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(...Array.from('-?:,[]{}#&*!|>\'"%@`=<~ \n\t\r.0123456789eExobyn_+/\\aZ')),
    },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('\x85', '\u2028', '\ufeff', '\ufffe', '\uffff', '\u{10ffff}') },
  ),
});
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.maxSafeInteger(),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

function seeded(): { seed: number; values: unknown[] } {
  const seed = SEED;
  return { seed, values: fc.sample(anyValue, { seed, numRuns: runs(500) }) };
}

describe.each(READERS)('%s reads back', (_reader, read) => {
  test('every value of the table', () => {
    for (const value of SAMPLES) {
      const yaml = toYaml(value);
      expect(plain(read(yaml)), yaml.slice(0, 200)).toEqual(plain(value));
    }
  });

  test('any value', () => {
    const { seed, values } = seeded();
    for (const value of values) {
      const yaml = toYaml(value);
      expect(plain(read(yaml)), `seed ${String(seed)}: ${yaml}`).toEqual(plain(value));
    }
  });
});

describe.skipIf(whyNoPyYaml() !== undefined)(`PyYAML reads back (${whyNoPyYaml() ?? 'installed'})`, () => {
  test('every value of the table', () => {
    const values = [...SAMPLES, ...IDS, { ids: IDS }];
    expect(readByPython(values)).toEqual(values.map(plain));
  });

  test('any value', () => {
    const { seed, values } = seeded();
    readByPython(values).forEach((value, index) => {
      expect(value, `seed ${String(seed)}: ${toYaml(values[index])}`).toEqual(plain(values[index]));
    });
  });
});

test('no control or bidi character is written to a terminal', () => {
  for (const value of [...SAMPLES, ...seeded().values])
    expect(toYaml(value, true)).not.toMatch(
      /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
    );
});

test('ids beyond 2^53 stay integers with every digit', () => {
  expect(toYaml({ ids: IDS })).toBe(`ids:\n${IDS.map((id) => `  - ${String(id)}\n`).join('')}`);
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(toYaml(IDS), { intAsBigInt: true, version })).toEqual(IDS);
});

test.each(LONE_SURROGATES)('half a surrogate pair is escaped: %j', (lone) => {
  expect(toYaml({ [lone]: lone })).toBe(`${JSON.stringify(lone)}: ${JSON.stringify(lone)}\n`);
});

test('writes a value that occurs twice without an alias', () => {
  const owner = { name: 'Ann' };
  expect(toYaml([owner, owner])).toBe('- name: Ann\n- name: Ann\n');
});

/** Converts to what all readers can return: numbers instead of bigints, and objects without a prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(stringifyJson(value, undefined)) as unknown;
}

const PROGRAM = `
import json, sys, yaml
documents = json.load(sys.stdin)
json.dump([yaml.load(document, Loader=yaml.SafeLoader) for document in documents], sys.stdout)
`;

function readByPython(values: readonly unknown[]): unknown[] {
  const read = parseJson(
    runPython(PROGRAM, JSON.stringify(values.map((value) => toYaml(value)))),
  ) as unknown[];
  return read.map(plain);
}
