import { describe, expect, test } from 'vitest';
import {
  OUTPUT_FORMATS,
  type OutputFormat,
  render,
  type RenderOptions,
  type View,
} from '../../../src/cli/output/index.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';
import { PLAIN } from './plain-options.js';

const columns = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
  { field: 'status', header: 'status' },
  { field: 'categoryId', header: 'category', fixed: true },
];
const pets = [
  { id: 9007199254740993n, name: '猫', status: 'sold', categoryId: 3n },
  { id: 2n, name: 'Rex', categoryId: 10n, chip: 'x' },
];
const list: View = { kind: 'list', rows: pets, columns };
const record: View = { kind: 'record', row: pets[0] ?? {}, columns };
const shown = (view: View, changed: Partial<RenderOptions>) => render(view, { ...PLAIN, ...changed });

const LIST: Record<OutputFormat, string> = {
  table:
    '              ID  NAME  STATUS  CATEGORY\n' +
    '9007199254740993  猫    sold           3\n' +
    '               2  Rex                 10\n',
  json: '[{"id":9007199254740993,"name":"猫","status":"sold","categoryId":3},{"id":2,"name":"Rex","categoryId":10,"chip":"x"}]\n',
  ndjson:
    '{"id":9007199254740993,"name":"猫","status":"sold","categoryId":3}\n{"id":2,"name":"Rex","categoryId":10,"chip":"x"}\n',
  csv: 'id,name,status,categoryId\r\n9007199254740993,猫,sold,3\r\n2,Rex,,10\r\n',
  tsv: '9007199254740993\t猫\tsold\t3\n2\tRex\t\t10\n',
  yaml:
    '- id: 9007199254740993\n  name: 猫\n  status: sold\n  categoryId: 3\n' +
    '- id: 2\n  name: Rex\n  categoryId: 10\n  chip: x\n',
  ids: '9007199254740993\n2\n',
};

const RECORD: Record<OutputFormat, string> = {
  table: 'ID:       9007199254740993\nNAME:     猫\nSTATUS:   sold\nCATEGORY: 3\n',
  json: '{"id":9007199254740993,"name":"猫","status":"sold","categoryId":3}\n',
  ndjson: '{"id":9007199254740993,"name":"猫","status":"sold","categoryId":3}\n',
  csv: 'id,name,status,categoryId\r\n9007199254740993,猫,sold,3\r\n',
  tsv: '9007199254740993\t猫\tsold\t3\n',
  yaml: 'id: 9007199254740993\nname: 猫\nstatus: sold\ncategoryId: 3\n',
  ids: '9007199254740993\n',
};

const EMPTY: Record<OutputFormat, string> = {
  table: '',
  json: '[]\n',
  ndjson: '',
  csv: 'id,name,status,categoryId\r\n',
  tsv: '',
  yaml: '[]\n',
  ids: '',
};

describe.each(OUTPUT_FORMATS)('-o %s', (format) => {
  test('formats a list, a record and an empty list', async () => {
    expect(await shown(list, { format })).toBe(LIST[format]);
    expect(await shown(record, { format })).toBe(RECORD[format]);
    expect(await shown({ kind: 'list', rows: [], columns }, { format })).toBe(EMPTY[format]);
  });
});

describe('--fields', () => {
  test.each<[OutputFormat, string]>([
    ['json', '[{"name":"猫"},{"chip":"x","name":"Rex"}]\n'],
    ['ndjson', '{"name":"猫"}\n{"chip":"x","name":"Rex"}\n'],
    ['yaml', '- name: 猫\n- chip: x\n  name: Rex\n'],
    ['csv', 'chip,name\r\n,猫\r\nx,Rex\r\n'],
    ['tsv', '\t猫\nx\tRex\n'],
    ['table', 'CHIP  NAME\n      猫\nx     Rex\n'],
    ['ids', '9007199254740993\n2\n'],
  ])('selects fields in %s, in the given order', async (format, text) => {
    expect(await shown(list, { format, fields: ['chip', 'name'] })).toBe(text);
  });

  test('rejects an unknown field', async () => {
    await expect(shown(list, { fields: ['id', 'nmae'] })).rejects.toThrow(UsageError);
  });
});

describe('--sort', () => {
  test('sorts a list, also by a field that is not shown', async () => {
    expect(await shown(list, { format: 'ids', sort: 'id' })).toBe('2\n9007199254740993\n');
    expect(await shown(list, { fields: ['id'], sort: '-name' })).toBe('9007199254740993\n2\n');
  });

  test('rejects an unknown field, also of a record', async () => {
    await expect(shown(list, { sort: 'nmae' })).rejects.toThrow(UsageError);
    await expect(shown(record, { sort: 'nmae' })).rejects.toThrow(UsageError);
  });
});

describe('--query', () => {
  test('reads the sorted rows or the record, with the selected fields', async () => {
    expect(await shown(list, { query: '[0].name', sort: 'id' })).toBe('Rex\n');
    expect(await shown(record, { query: 'id' })).toBe('9007199254740993\n');
    expect(await shown(list, { query: '[].keys(@)', fields: ['name', 'chip'], format: 'json' })).toBe(
      '[["name"],["name","chip"]]\n',
    );
  });

  test('uses titles and order of the declared columns', async () => {
    expect(await shown(list, { query: '[?id > `2`].{categoryId: categoryId}', format: 'table' })).toBe(
      'CATEGORY\n       3\n',
    );
  });
});

test('on a terminal json is indented, and keys are coloured if colour is on', async () => {
  expect(
    await shown(
      { kind: 'list', rows: [{ id: 1n }], columns },
      { format: 'json', isTTY: true, colorLevel: 1 },
    ),
  ).toBe('[\n  {\n    \x1b[36m"id"\x1b[39m: 1\n  }\n]\n');
});

test.each([undefined, '@'])(
  'in a pipe json has no colour, even if colour is forced (query %j)',
  async (query) => {
    const view = { kind: 'list', rows: [{ id: 1n }], columns } as const;
    expect(await shown(view, { format: 'json', isTTY: false, colorLevel: 1, query })).toBe('[{"id":1}]\n');
  },
);

test('prints no header with --no-header, and raw cells with --csv-raw', async () => {
  const view = { kind: 'record', row: { id: '=1' }, columns: columns.slice(0, 2) } as const;
  const bare = { format: 'csv', header: false } as const;
  expect(await shown(view, bare)).toBe("'=1,\r\n");
  expect(await shown(view, { ...bare, csvRaw: true })).toBe('=1,\r\n');
});
