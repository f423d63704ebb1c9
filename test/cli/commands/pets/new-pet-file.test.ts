import { describe, expect, test } from 'vitest';
import { checkName, checkStatus, readNewPetFile } from '../../../../src/cli/commands/pets/new-pet-file.js';
import { fakeContext } from '../../../support/fake-context.js';

const read = (stdin: string) => readNewPetFile('-', fakeContext({ stdin }).context);

describe('readNewPetFile', () => {
  test.each([
    [
      '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
      { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' },
    ],
    ['{"categoryId":"7"}', { categoryId: 7n }],
    ['\uFEFF{}', {}],
  ])('%s', async (text, draft) => {
    expect(await read(text)).toEqual(draft);
  });

  test.each([
    ['[]', /stdin must hold one JSON object/],
    ['null', /stdin must hold one JSON object/],
    ['{"name":}', /stdin, line 1, column 9 is not JSON/],
    ['', /stdin is empty/],
    ['{"nmae":"Rex"}', /unknown field "nmae"/],
    ['{"id":1}', /unknown field "id"/],
    ['{"name":5}', /name must be a string/],
    ['{"name":""}', /name is empty/],
    ['{"categoryId":1.5}', /categoryId: "1\.5" is not an int64/],
    ['{"categoryId":null}', /categoryId: "null" is not an int64/],
    ['{"status":"lent"}', /status: "lent" is not one of/],
    ['{"name":"f",\n"name":"g","categoryId":3}', 'stdin, line 2, column 1: duplicate field "name"'],
    ['{"name":"f","n\\u0061me":"f","categoryId":3}', 'stdin, line 1, column 13: duplicate field "name"'],
    ['{"status":1}', /status: "1" is not one of/],
  ])('rejects %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('suggests a similar field name', async () => {
    await expect(read('{"colour":1}')).rejects.toMatchObject({
      hint: 'Known fields: name, categoryId, status.',
    });
    await expect(read('{"id":1,"name":"x"}')).rejects.toMatchObject({
      hint: 'The command creates a new pet, which gets a new id. To create one anyway, remove the id.',
    });
    await expect(read('{"nmae":"x"}')).rejects.toMatchObject({ hint: 'Did you mean "name"?' });
  });
});

test('accepts every name except an empty one', () => {
  expect(checkName('--name', ' ')).toBe(' ');
  expect(() => checkName('--name', '')).toThrow('--name is empty');
});

test('accepts only the statuses of a request', () => {
  expect(checkStatus('--status', 'sold')).toBe('sold');
  expect(() => checkStatus('--status', 'lent')).toThrow(/"lent" is not one of available, pending, sold/);
});
