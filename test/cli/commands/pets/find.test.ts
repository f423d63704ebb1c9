import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';

const REX = '{"id":7,"name":"T-Rex","categoryId":3,"status":"sold"}';
const TOM = '{"id":42,"name":"Tom 7","categoryId":3}';
const BOTH = [{ body: `[${REX},${TOM}]` }];

test.each([
  ['rex', '7\tT-Rex\t3\tsold\n'],
  ['t', '7\tT-Rex\t3\tsold\n42\tTom 7\t3\t\n'],
  ['zoe', ''],
  // An identifier is no part of a name.
  ['7', '7\tT-Rex\t3\tsold\n'],
  // No int64.
  ['07', ''],
  ['9223372036854775808', ''],
])('pets find %s', async (word, stdout) => {
  const found = await runFake(['pets', 'find', word], { responses: BOTH });
  expect(found).toMatchObject({ exitCode: 0, stdout });
  expect(found.requests.map(({ path }) => path)).toEqual(['/v1/pets?limit=100']);
});

test('is always a list', async () => {
  for (const word of ['7', 'rex']) {
    const { stdout } = await runFake(`pets find ${word} --json id`, { responses: BOTH });
    expect(stdout).toBe('[{"id":7}]\n');
  }
});
