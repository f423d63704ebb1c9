import { describe, expect, test } from 'vitest';
import { NdjsonParser } from '../../../src/bulk/rows/ndjson-parser.js';
import { type Parsed, RECORD_MAX } from '../../../src/bulk/rows/record-parser.js';

function parse(text: string, length = Infinity): Parsed[] {
  const parser = new NdjsonParser();
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length; at += length) parsed.push(...parser.push(text.slice(at, at + length)));
  return [...parsed, ...parser.end()];
}

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
