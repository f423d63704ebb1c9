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
  test('can have columns in any order, with blanks, and the columns of an export and of a rejected-rows file', () => {
    expect(readHeader([' status', 'id', 'categoryId ', 'name', 'error'], 1)).toEqual({
      columns: ['status', 'id', 'categoryId', 'name', 'error'],
      errors: [],
    });
  });

  test('has an error for each unknown, unnamed and missing column', () => {
    const { errors: errors } = readHeader(['name', 'categoryID', 'id', ''], 2);
    expect(errors).toEqual([
      expect.objectContaining({ line: 2, given: 'categoryID', known: ['name', 'categoryId', 'status'] }),
      { line: 2, message: 'Column 4 has no name' },
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
