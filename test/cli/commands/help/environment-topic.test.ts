import { expect, test } from 'vitest';
import { environmentTopic } from '../../../../src/cli/commands/help/environment-topic.js';
import { ENVIRONMENT_VARIABLES } from '../../../../src/cli/config/environment.js';

const text = environmentTopic();

test('is the table of variables, whole and in its order', () => {
  const words = text.replace(/\s+/g, ' ');
  const places = ENVIRONMENT_VARIABLES.map(({ name, summary }) => words.indexOf(` ${name} ${summary}`));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('speaks of no variable that is not in it', () => {
  const known = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));
  const named = text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
