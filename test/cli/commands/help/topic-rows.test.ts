import { expect, test } from 'vitest';
import { topicRows } from '../../../../src/cli/commands/help/topic-rows.js';

test('aligns the texts, and goes on below them at the edge of the page', () => {
  const rows = [
    { term: 'FIRST', text: 'what it is' },
    { term: 'OF_IT', text: `${'word '.repeat(15)}and more` },
    { term: 'END', text: 'the last' },
  ];
  expect(topicRows(rows)).toBe(
    `  FIRST  what it is
  OF_IT  ${'word '.repeat(14)}
         word and more
  END    the last`.replace(/ $/m, ''),
  );
});

test('leaves as much room as asked for', () => {
  expect(topicRows([{ term: '10', text: 'text' }], 1)).toBe('  10 text');
});
