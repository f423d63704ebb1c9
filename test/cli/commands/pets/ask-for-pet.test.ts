import { expect, test } from 'vitest';
import { askForPet } from '../../../../src/cli/commands/pets/ask-for-pet.js';

function prompter(answers: Record<string, string>) {
  const asked: string[] = [];
  const checks: Record<string, (answer: string) => string | true> = {};
  return {
    asked,
    checks,
    secret: () => Promise.reject(new Error('no secret is wanted')),
    text(question: string, check: (answer: string) => string | true) {
      asked.push(question);
      checks[question] = check;
      return Promise.resolve(answers[question]!);
    },
    choose(question: string) {
      asked.push(question);
      return Promise.resolve(answers[question]!);
    },
  };
}

test('asks for what is missing and for nothing else', async () => {
  const all = prompter({ Name: 'Mia', 'Category id': '5', Status: 'sold' });
  expect(await askForPet({}, all)).toEqual({ name: 'Mia', categoryId: '5', status: 'sold' });
  const some = prompter({ 'Category id': '5', Status: '' });
  expect(await askForPet({ name: 'Rex' }, some)).toEqual({ name: 'Rex', categoryId: '5' });
  expect(some.asked).toEqual(['Category id', 'Status']);
});

test('does not take an empty name or a category that is no int64', async () => {
  const asked = prompter({ Name: 'Mia', 'Category id': '5', Status: '' });
  await askForPet({}, asked);
  expect(asked.checks.Name!('')).toBe('an animal needs a name');
  expect(asked.checks['Category id']!('seven')).toMatch(/decimal digits/);
});
