import { describe, expect, test } from 'vitest';
import { readHeader, detectDelimiter } from '../../../src/bulk/rows/csv-header.js';

test.each([
  ['name,categoryId,status', ','],
  ['name;categoryId', ';'],
  ['name\tcategoryId', '\t'],
  ['name|categoryId', '|'],
  ['"name";"categoryId";"a,b,c"', ';'],
  ['nmae;category', ';'],
  ['name', ','],
  ['', ','],
])('detects the delimiter of %j', (line, delimiter) => {
  expect(detectDelimiter(line)).toBe(delimiter);
});

describe('a header', () => {
  test('can have columns in any order, with blanks, and the columns of a rejected-rows file', () => {
    expect(readHeader([' status', 'categoryId ', 'name', 'error'], 1)).toEqual({
      columns: ['status', 'categoryId', 'name', 'error'],
      ignored: [],
      errors: [],
    });
  });

  test.each(['id', ' ID', 'i_d'])('with %j as in an export needs ignoreColumns', (name) => {
    const { errors } = readHeader([name, 'name', 'categoryId'], 1);
    expect(errors).toEqual([
      { line: 1, field: 'id', isUnknownField: true, message: expect.stringContaining('NEW pets') },
    ]);
    expect(readHeader([name, 'name', 'categoryId'], 1, true)).toEqual({
      columns: [undefined, 'name', 'categoryId'],
      ignored: [name.trim()],
      errors: [],
    });
  });

  test.each([
    ['Name', 'Category ID', 'STATUS'],
    ['NAME', 'category_id', 'Status'],
    [' n a m e ', 'CATEGORYID', 'sta_tus'],
    ['\uFEFFname', 'Category\u00A0Id', '_status_'],
  ])('ignores case, blanks and underscores: %s, %s, %s', (...cells) => {
    expect(readHeader(cells, 1)).toEqual({
      columns: ['name', 'categoryId', 'status'],
      ignored: [],
      errors: [],
    });
  });

  test('has an error that names two columns that are the same field', () => {
    expect(readHeader(['name', 'Category ID', 'category_id'], 1).errors).toEqual([
      {
        line: 1,
        field: 'categoryId',
        message: 'Columns "Category ID" and "category_id" are both categoryId',
      },
    ]);
  });

  test('can have unknown columns that are ignored', () => {
    const header = readHeader(['name', 'breed', 'categoryId', '', 'breed'], 1, true);
    expect(header).toEqual({
      columns: ['name', undefined, 'categoryId', undefined, undefined],
      ignored: ['breed', 'column 4', 'breed'],
      errors: [],
    });
    expect(readHeader(['breed'], 1, true).errors).toHaveLength(1);
  });

  test('of a million columns is read in linear time', () => {
    const columns = Array.from({ length: 1_000_000 }, (_, index) => `c${String(index)}`);
    expect(readHeader(['name', 'categoryId', ...columns], 1).errors).toHaveLength(1_000_000);
  });

  test('has an error for each unknown, unnamed and missing column', () => {
    const { errors: errors } = readHeader(['name', 'category-number', 'error', ''], 2);
    expect(errors).toEqual([
      expect.objectContaining({ line: 2, given: 'category-number', known: ['name', 'categoryId', 'status'] }),
      { line: 2, isUnknownField: true, message: 'Column 4 has no name' },
      { line: 2, field: 'categoryId', message: 'Column categoryId is missing' },
    ]);
  });

  test('has an error for a duplicate column', () => {
    const { errors: errors } = readHeader(['name', 'categoryId', 'name'], 1);
    expect(errors).toEqual([{ line: 1, field: 'name', message: 'Duplicate column "name"' }]);
  });

  test('is missing if the first line is a row', () => {
    expect(readHeader(['Rex', '7'], 1).errors).toEqual([
      { line: 1, message: expect.stringContaining('must name the columns') },
    ]);
  });
});
