import { describe, expect, test } from 'vitest';
import { readHeader, tellDelimiter } from '../../../src/bulk/rows/csv-header.js';

test.each([
  ['name,categoryId,status', ','],
  ['name;categoryId', ';'],
  ['name\tcategoryId', '\t'],
  ['name|categoryId', '|'],
  ['"name";"categoryId";"a,b,c"', ';'],
  ['nmae;category', ';'],
  ['name', ','],
  ['', ','],
])('tells the delimiter of %j', (line, delimiter) => {
  expect(tellDelimiter(line)).toBe(delimiter);
});

describe('a header', () => {
  test('may have its columns in any order, blanks around them, and those of an export and of refused rows', () => {
    expect(readHeader([' status', 'id', 'categoryId ', 'name', 'error'], 1)).toEqual({
      columns: ['status', 'id', 'categoryId', 'name', 'error'],
      faults: [],
    });
  });

  test('is blamed for every column that there is not', () => {
    const { faults } = readHeader(['name', 'categoryID', 'id', ''], 2);
    expect(faults).toEqual([
      expect.objectContaining({ line: 2, given: 'categoryID', known: ['name', 'categoryId', 'status'] }),
      { line: 2, message: 'column 4 has no name' },
      { line: 2, field: 'categoryId', message: 'there is no column categoryId' },
    ]);
  });

  test('is blamed for a column that is there twice', () => {
    const { faults } = readHeader(['name', 'categoryId', 'name'], 1);
    expect(faults).toEqual([{ line: 1, field: 'name', message: 'there are two columns "name"' }]);
  });

  test('is missed where the first line is a row', () => {
    expect(readHeader(['Rex', '7'], 1).faults).toEqual([
      { line: 1, message: expect.stringContaining('must name the columns') },
    ]);
  });
});
