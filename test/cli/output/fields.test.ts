import { describe, expect, test } from 'vitest';
import { checkField, parseFields, selectColumns, selectFields } from '../../../src/cli/output/fields.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';

const columns = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
];

describe('the list', () => {
  test.each([
    ['id,name', ['id', 'name']],
    [' name , id ,', ['name', 'id']],
    ['id,id', ['id']],
  ])('%j', (text, fields) => {
    expect(parseFields(text)).toEqual(fields);
  });

  test.each(['', ' , '])('%j names nothing', (text) => {
    expect(() => parseFields(text)).toThrow(UsageError);
  });
});

test('columns come in the order asked for, and an undeclared one is plain', () => {
  expect(selectColumns(['chip', 'id'], columns)).toEqual([
    { field: 'chip', header: 'chip' },
    { field: 'id', header: 'id', fixed: true },
  ]);
});

test('a row keeps the fields asked for, in that order, and invents none', () => {
  const row = selectFields({ id: 1n, name: 'Rex', status: 'sold' }, ['status', 'id', 'chip', 'constructor']);
  expect(Object.entries(row)).toEqual([
    ['status', 'sold'],
    ['id', 1n],
  ]);
});

describe('a field', () => {
  const rows = [{ id: 1n }, { id: 2n, chip: 'x' }];
  const check = (field: string) => () => {
    checkField(field, '--fields', rows, columns);
  };

  test('is known from a column or from any row', () => {
    expect(check('name')).not.toThrow();
    expect(check('chip')).not.toThrow();
  });

  test('that nobody knows is refused, with the nearest and the list', () => {
    const error = catchUsageError(check('nmae'));
    expect(error.message).toBe('unknown field "nmae" in --fields');
    expect(error.hint).toBe('did you mean "name"? fields: id, name, chip');
    expect(catchUsageError(check('zzzz')).hint).toBe('fields: id, name, chip');
    expect(check('constructor')).toThrow(UsageError);
  });

  test('is harmless in the message', () => {
    expect(catchUsageError(check('a\x1b[2J')).message).toBe('unknown field "a^[[2J" in --fields');
  });

  test('passes where there are no rows to know it', () => {
    checkField('chip', '--fields', [], columns);
  });
});

function catchUsageError(run: () => void): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error('expected a UsageError');
}
