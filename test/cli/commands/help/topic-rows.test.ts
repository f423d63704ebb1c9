import { expect, test } from 'vitest';
import { topicRows } from '../../../../src/cli/commands/help/topic-rows.js';

test('reads terms, and words that go on below', () => {
  const text = `Title

Words before.

  FIRST   what it is
  10 two-words  said, and
                said on
  LAST    the end

Words after:
    indented, and no row.
`;
  expect(topicRows(text)).toEqual([
    { term: 'FIRST', text: 'what it is' },
    { term: '10', text: 'two-words  said, and said on' },
    { term: 'LAST', text: 'the end' },
  ]);
});
