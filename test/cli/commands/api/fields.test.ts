import { describe, expect, test } from 'vitest';
import { fieldsToObject, readField } from '../../../../src/cli/commands/api/fields.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('readField', () => {
  test.each([
    ['-F', 'a=b', { key: 'a', value: 'b', typed: true }],
    ['-f', 'a=b=c', { key: 'a', value: 'b=c', typed: false }],
    ['-f', 'a=', { key: 'a', value: '', typed: false }],
  ] as const)('%s %s', (flag, text, field) => {
    expect(readField(flag, text)).toEqual(field);
  });

  test.each(['a', '=b', ''])('rejects %j', (text) => {
    expect(() => readField('-F', text)).toThrow(/is not key=value/);
  });

  test('rejects nested fields', () => {
    expect(() => readField('-F', 'a[b]=1')).toThrow(/nested fields are not supported/);
  });
});

describe('fieldsToObject', () => {
  const { context } = fakeContext({ currentDirectory: '/nowhere', stdin: 'from stdin' });

  test.each([
    ['true', true],
    ['false', false],
    ['null', null],
    ['7', 7],
    ['-7', -7],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', '9223372036854775808'],
    ['1.5', '1.5'],
    ['007', '007'],
    ['True', 'True'],
    ['-0', '-0'],
    ['', ''],
    ['@-', 'from stdin'],
  ])('-F %s', async (value, expected) => {
    expect(await fieldsToObject([{ key: 'k', value, typed: true }], context)).toEqual({ k: expected });
  });

  test.each(['true', '7', '@-'])('-f %s stays a string', async (value) => {
    expect(await fieldsToObject([{ key: 'k', value, typed: false }], context)).toEqual({ k: value });
  });

  test('@file is the content of a file', async () => {
    const inFolder = fakeContext({ currentDirectory: temporaryFolder({ 'name.txt': 'Rex\n' }) }).context;
    const fields = [{ key: 'k', value: '@name.txt', typed: true }];
    expect(await fieldsToObject(fields, inFolder)).toEqual({ k: 'Rex\n' });
  });
});
