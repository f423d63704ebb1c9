import { expect, test } from 'vitest';
import { readMembers } from '../../src/bulk/record-members.js';

test.each([
  ['{}', []],
  [' { } ', []],
  ['{"a":1}', [['a', '1']]],
  [
    '{ "a" : 1.0 , "b":\n-0 }',
    [
      ['a', '1.0'],
      ['b', '-0'],
    ],
  ],
  [
    '{"a":{"b":1,"c":[{"d":2},3]},"e":[1,2]}',
    [
      ['a', '{"b":1,"c":[{"d":2},3]}'],
      ['e', '[1,2]'],
    ],
  ],
  [
    String.raw`{"a\"b":"x,y:}\\","\u0061":"\\\""}`,
    [
      ['a"b', String.raw`"x,y:}\\"`],
      ['a', String.raw`"\\\""`],
    ],
  ],
  [
    '{"a":1,"a":2}',
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
])('%s', (text, members) => {
  expect(readMembers(text).map(({ name, raw }) => [name, raw])).toEqual(members);
});

test('a megabyte of escapes is no matter', () => {
  const raw = JSON.stringify('"'.repeat(500_000));
  expect(readMembers(`{"name":${raw}}`)).toEqual([{ name: 'name', raw }]);
});
