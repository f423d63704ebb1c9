import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonArrayParser, NdjsonParser } from '../../../src/bulk/rows/json-parsers.js';
import { type Parsed, RECORD_MAX } from '../../../src/bulk/rows/row.js';
import { stringifyJson } from '../../../src/schema/json.js';

function parseWith(parser: NdjsonParser | JsonArrayParser, text: string, length = Infinity): Parsed[] {
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length && !parser.hasFailed; at += length)
    parsed.push(...parser.push(text.slice(at, at + length)));
  return parser.hasFailed ? parsed : [...parsed, ...parser.end()];
}
const parse = (text: string, length?: number) => parseWith(new NdjsonParser(), text, length);
const parseArray = (text: string, length?: number) => parseWith(new JsonArrayParser(), text, length);

describe.each([Infinity, 1, 4])('in pieces of %d', (length) => {
  test('reads one object per line with every digit', () => {
    expect(parse('{"name":"Rex"}\r\n\n  \n{"categoryId":9223372036854775807}', length)).toMatchObject([
      { kind: 'record', line: 1, fields: { name: 'Rex' } },
      { kind: 'record', line: 4, fields: { categoryId: 9_223_372_036_854_775_807n } },
    ]);
  });

  test('reports line and column of invalid JSON, and continues', () => {
    const parsed = parse('{"name":"Rex",}\n{"name":"Mia"}\n{"name":', length);
    expect(parsed).toMatchObject([
      {
        kind: 'error',
        isRow: true,
        error: { line: 1, column: 15, message: expect.stringContaining('found "}"') },
      },
      { kind: 'record', line: 2, fields: { name: 'Mia' } },
      {
        kind: 'error',
        isRow: true,
        error: { line: 3, column: 9, message: expect.stringContaining('the end of the text') },
      },
    ]);
  });
});

test.each(['7', '"Rex"', 'null', '[]'])('rejects %s: it is not an object', (text) => {
  expect(parse(text)[0]).toMatchObject({
    kind: 'error',
    error: { line: 1, message: expect.stringContaining('must be an object') },
  });
});

test('stops at a line without an end', () => {
  const parser = new NdjsonParser();
  parser.push('{}\n');
  expect(parser.push('x'.repeat(RECORD_MAX + 1))).toEqual([
    { kind: 'error', isRow: true, error: { line: 2, message: 'Line is longer than 1 MiB' } },
  ]);
  expect(parser.hasFailed).toBe(true);
});

describe('an object in a row', () => {
  test.each(['{"name":"Rex","name":"Mia"}', String.raw`{"name":"Rex","n\u0061me":"Mia"}`])(
    "can't have a duplicate field: %s",
    (text) => {
      const message = 'Duplicate field "name"';
      expect(parse(text)).toEqual([
        { kind: 'error', isRow: true, error: { line: 1, field: 'name', message } },
      ]);
    },
  );

  test('can have nested objects with the same names', () => {
    expect(parse('{"error":{"name":1},"name":"Rex"}')).toMatchObject([{ kind: 'record' }]);
  });

  test.each(['1.0', '1.0000000000000001', '1e2', '-0', '12345678901234567.0'])(
    'keeps the spelling of the number %s',
    (raw) => {
      const [parsed] = parse(`{"name":"Rex","categoryId": ${raw} }`);
      expect(parsed).toMatchObject({
        written: new Map([
          ['name', '"Rex"'],
          ['categoryId', raw],
        ]),
      });
    },
  );
});

describe.each([Infinity, 1, 3])('in pieces of %d', (length) => {
  test('reads each element with every digit', () => {
    const text = ' [\n {"name":"a\\"]}","x":[{}]},\n\n{"categoryId":9007199254740993}\n]\n ';
    expect(parseArray(text, length)).toMatchObject([
      { kind: 'record', line: 2, fields: { name: 'a"]}', x: [{}] } },
      { kind: 'record', line: 4, fields: { categoryId: 9_007_199_254_740_993n } },
    ]);
    expect(parseArray('[]', length)).toMatchObject([]);
  });

  test.each([
    ['{"name":"Rex"}', 1, 1, 'must begin with ['],
    ['', 1, 1, 'must begin with ['],
    ['[\n{} {}]', 2, 4, 'Comma is missing'],
    ['[{},\n]', 2, 1, 'Unexpected "]"'],
    ['[,{}]', 1, 2, 'Unexpected ","'],
    ['[{}]\nx', 2, 1, 'after the array'],
    ['[{}', 1, 4, 'not closed'],
  ])('stops at the error in %j, and reports its position', (text, line, column, message) => {
    const last = parseArray(text, length).at(-1);
    expect(last).toEqual({
      kind: 'error',
      isRow: false,
      error: { line, column, message: expect.stringContaining(message) },
    });
  });

  test('reports the position of invalid JSON in an element, and continues', () => {
    expect(parseArray('[{},\n  {"a":1,\n"b" 2},{"c":3}, 7, "x", nul]', length)).toMatchObject([
      { kind: 'record', line: 1, fields: {} },
      { kind: 'error', isRow: true, error: expect.objectContaining({ line: 3, column: 5 }) },
      { kind: 'record', line: 3, fields: { c: 3 } },
      {
        kind: 'error',
        isRow: true,
        error: { line: 3, message: expect.stringContaining('must be an object') },
      },
      {
        kind: 'error',
        isRow: true,
        error: { line: 3, message: expect.stringContaining('must be an object') },
      },
      { kind: 'error', isRow: true, error: expect.objectContaining({ line: 3, column: 25 }) },
    ]);
  });
});

test('stops at an element without an end, and reports where it began', () => {
  const parser = new JsonArrayParser();
  expect(parser.push(`[\n {"name":"${'x'.repeat(RECORD_MAX)}`)).toEqual([
    { kind: 'error', isRow: true, error: { line: 2, column: 2, message: 'Row is longer than 1 MiB' } },
  ]);
  expect(parser.hasFailed).toBe(true);
});

test('reads what stringifyJson writes', () => {
  const element = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
  fc.assert(
    fc.property(
      fc.array(element),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(0, 2),
      (rows, length, space) => {
        const records = parseArray(stringifyJson(rows, space), length).map(
          (each) => each.kind === 'record' && each.fields,
        );
        expect(stringifyJson(records)).toBe(stringifyJson(rows));
      },
    ),
  );
});
