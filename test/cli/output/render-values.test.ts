import { expect, test } from 'vitest';
import { type OutputFormat, render, type RenderOptions } from '../../../src/cli/output/index.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';
import { PLAIN } from './plain-options.js';

const rendered = (value: unknown, format: OutputFormat, changed: Partial<RenderOptions> = {}) =>
  render({ kind: 'value', value }, { ...PLAIN, format, ...changed });

const rows = [
  { id: 1, name: 'Rex' },
  { id: 2n, chip: 'x' },
];

test.each<[string, unknown, Partial<Record<OutputFormat, string>>]>([
  [
    'a string',
    'say "hi"\x1b',
    {
      json: '"say \\"hi\\"\\u001b"\n',
      ndjson: '"say \\"hi\\"\\u001b"\n',
      yaml: '"say \\"hi\\"\\u001b"\n',
      table: 'say "hi"^[\n',
      tsv: 'say "hi"^[\n',
      csv: '"say ""hi""^["\r\n',
      ids: 'say "hi"^[\n',
    },
  ],
  [
    'a large integer',
    9007199254740993n,
    {
      json: '9007199254740993\n',
      yaml: '9007199254740993\n',
      table: '9007199254740993\n',
      csv: '9007199254740993\r\n',
    },
  ],
  ['null', null, { json: 'null\n', ndjson: 'null\n', yaml: 'null\n', table: '', tsv: '', csv: '', ids: '' }],
  [
    'a list of scalars',
    ['a', 1, null],
    {
      json: '["a",1,null]\n',
      ndjson: '"a"\n1\nnull\n',
      yaml: '- a\n- 1\n- null\n',
      table: 'a\n1\n\n',
      tsv: 'a\n1\n\n',
      csv: 'a\r\n1\r\n""\r\n',
    },
  ],
  ['an empty list', [], { json: '[]\n', ndjson: '', yaml: '[]\n', table: '', tsv: '', csv: '', ids: '' }],
  [
    'an object',
    rows[0],
    {
      table: 'ID:   1\nNAME: Rex\n',
      tsv: '1\tRex\n',
      csv: 'id,name\r\n1,Rex\r\n',
      ids: '1\n',
    },
  ],
  [
    'a list of objects',
    rows,
    {
      table: 'ID  NAME  CHIP\n 1  Rex\n 2        x\n',
      tsv: '1\tRex\t\n2\t\tx\n',
      csv: 'id,name,chip\r\n1,Rex,\r\n2,,x\r\n',
      ids: '1\n2\n',
    },
  ],
  [
    'a list of lists',
    [
      [1, 'Rex'],
      [2, null],
    ],
    {
      json: '[[1,"Rex"],[2,null]]\n',
      ndjson: '[1,"Rex"]\n[2,null]\n',
      table: '1\tRex\n2\t\n',
      tsv: '1\tRex\n2\t\n',
      csv: '1,Rex\r\n2,\r\n',
    },
  ],
  ['a mixed list', ['a', { id: 1 }], { tsv: 'a\n{"id":1}\n', csv: 'a\r\n"{""id"":1}"\r\n' }],
  ['own fields only', [{ constructor: 1 }, { id: 2 }], { tsv: '1\t\n\t2\n' }],
  ['a list of ids', [1, 9007199254740993n], { ids: '1\n9007199254740993\n' }],
])('formats %s', async (_name, result, expected) => {
  const formats = Object.keys(expected) as OutputFormat[];
  const texts = await Promise.all(formats.map(async (format) => [format, await rendered(result, format)]));
  expect(Object.fromEntries(texts)).toEqual(expected);
});

test('-o ids rejects a result without ids', async () => {
  await expect(rendered([[1, 'Rex']], 'ids')).rejects.toThrow(UsageError);
  await expect(rendered([{ name: 'Rex' }], 'ids')).rejects.toThrow(UsageError);
});
