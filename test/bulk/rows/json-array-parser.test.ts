import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonArrayParser } from '../../../src/bulk/rows/json-array-parser.js';
import { type Parsed, RECORD_MAX } from '../../../src/bulk/rows/record-parser.js';
import { stringifyJson } from '../../../src/schema/json.js';

function parse(text: string, length = Infinity): Parsed[] {
  const parser = new JsonArrayParser();
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length && !parser.hasFailed; at += length)
    parsed.push(...parser.push(text.slice(at, at + length)));
  return [...parsed, ...(parser.hasFailed ? [] : parser.end())];
}

describe.each([Infinity, 1, 3])('in pieces of %d', (length) => {
  test('reads each element with every digit', () => {
    const text = ' [\n {"name":"a\\"]}","x":[{}]},\n\n{"categoryId":9007199254740993}\n]\n ';
    expect(parse(text, length)).toMatchObject([
      { kind: 'record', line: 2, fields: { name: 'a"]}', x: [{}] } },
      { kind: 'record', line: 4, fields: { categoryId: 9_007_199_254_740_993n } },
    ]);
    expect(parse('[]', length)).toMatchObject([]);
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
    const last = parse(text, length).at(-1);
    expect(last).toEqual({
      kind: 'error',
      isRow: false,
      error: { line, column, message: expect.stringContaining(message) },
    });
  });

  test('reports the position of invalid JSON in an element, and continues', () => {
    expect(parse('[{},\n  {"a":1,\n"b" 2},{"c":3}, 7, "x", nul]', length)).toMatchObject([
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
        const records = parse(stringifyJson(rows, space), length).map(
          (each) => each.kind === 'record' && each.fields,
        );
        expect(stringifyJson(records)).toBe(stringifyJson(rows));
      },
    ),
  );
});
