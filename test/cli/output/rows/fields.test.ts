import { describe, expect, test } from 'vitest';
import { checkField, parseFields } from '../../../../src/cli/output/rows/fields.js';
import { UsageError } from '../../../../src/cli/errors/usage-error.js';

const columns = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
];

describe('parses the list', () => {
  test.each([
    ['id,name', ['id', 'name']],
    [' name , id ,', ['name', 'id']],
    ['id,id', ['id']],
  ])('%j', (text, fields) => {
    expect(parseFields(text)).toEqual(fields);
  });

  test.each(['', ' , '])('rejects %j, which has no names', (text) => {
    expect(() => parseFields(text)).toThrow(UsageError);
  });
});

describe('a field', () => {
  const rows = [{ id: 1n }, { id: 2n, chip: 'x' }];
  const check = (field: string) => () => {
    checkField(field, '--fields', rows, columns);
  };

  test('is accepted if a column or any row has it', () => {
    expect(check('name')).not.toThrow();
    expect(check('chip')).not.toThrow();
  });

  test('is rejected if unknown, with the nearest name and all names', () => {
    const error = catchUsageError(check('nmae'));
    expect(error.message).toBe('Unknown field "nmae" in --fields');
    expect(error.hint).toBe('Did you mean "name"? Fields: id, name, chip.');
    expect(catchUsageError(check('zzzz')).hint).toBe('Fields: id, name, chip.');
    expect(check('constructor')).toThrow(UsageError);
  });

  test('is harmless in the error message', () => {
    expect(catchUsageError(check('a\x1b[2J')).message).toBe('Unknown field "a^[[2J" in --fields');
  });

  test('is accepted if there are no rows', () => {
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
