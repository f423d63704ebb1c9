import { expect, test } from 'vitest';
import { environmentTopic } from '../../../../src/cli/commands/help/environment-topic.js';
import { topicRows } from '../../../../src/cli/commands/help/topic-rows.js';
import { ENVIRONMENT_VARIABLES } from '../../../../src/cli/environment.js';

const text = environmentTopic();

test('is the table of variables, whole and in its order', () => {
  const rows = topicRows(text).map(({ term, text: summary }) => ({ name: term, summary }));
  expect(rows).toEqual(ENVIRONMENT_VARIABLES);
});

test('speaks of no variable that is not in it', () => {
  const known = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));
  const named = text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
