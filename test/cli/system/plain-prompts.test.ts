import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Interruption, type Prompter } from '../../../src/cli/system/context.js';
import { createPlainPrompter } from '../../../src/cli/system/plain-prompts.js';
import { settle } from '../../support/virtual-clock.js';

/** Types the lines one after another. @returns the answer and what was written. */
async function prompted(
  lines: readonly string[],
  prompt: (prompter: Prompter) => Promise<string>,
  signal = new AbortController().signal,
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = prompt(createPlainPrompter(input, output, signal));
  const answer = answered.catch((error: unknown) => error);
  for (const line of lines) {
    await settle();
    input.write(line);
  }
  return { answer: await answer, written: String(output.read()) };
}

const notEmpty = (answer: string): string | true => answer !== '' || 'A pet needs a name.';
const choices = [
  { name: 'No', value: 'no' },
  { name: 'Yes', value: 'yes' },
];

test.each<[string, readonly string[], (prompter: Prompter) => Promise<string>, object]>([
  [
    'a text, until it is valid',
    ['\n', 'Rex\n'],
    (prompter) => prompter.text('Name', notEmpty),
    { answer: 'Rex', written: '? Name: A pet needs a name.\n? Name: ' },
  ],
  [
    'a choice by its number',
    ['3\n', '2\n'],
    (prompter) => prompter.choose('Send?', choices),
    {
      answer: 'yes',
      written:
        '? Send?\n  1) No\n  2) Yes\n? Number (default 1): Type a number from 1 to 2.\n? Number (default 1): ',
    },
  ],
  [
    'a choice without a default',
    ['\n', 'n\n', '1\n'],
    (prompter) => prompter.choose('Profile', [{ name: 'nina', value: 'nina' }]),
    {
      answer: 'nina',
      written: `? Profile\n  1) nina\n${'? Number: Type a number from 1 to 1.\n'.repeat(2)}? Number: `,
    },
  ],
  [
    'a secret, which is not shown',
    ['sk-x\u007f1\r'],
    (prompter) => prompter.secret('API key', () => true),
    { answer: 'sk-1', written: '? API key: \n' },
  ],
  [
    '^C',
    ['sk\u0003'],
    (prompter) => prompter.secret('API key', () => true),
    { answer: new Interruption(130), written: '? API key: \n' },
  ],
])('asks for %s', async (_, lines, prompt, outcome) => {
  expect(await prompted(lines, prompt)).toEqual(outcome);
});

test.each([
  ['2', 'yes'],
  ['', 'no'],
])('takes the answer %j as a choice', async (line, answer) => {
  expect(await prompted([`${line}\n`], (prompter) => prompter.choose('Send?', choices))).toEqual({
    answer,
    written: '? Send?\n  1) No\n  2) Yes\n? Number (default 1): ',
  });
});

test('a signal ends a prompt with its reason', async () => {
  const stopping = new AbortController();
  const asked = prompted([], (prompter) => prompter.text('Name', notEmpty), stopping.signal);
  const reason = new Interruption(143);
  stopping.abort(reason);
  expect(await asked).toMatchObject({ answer: reason });
});
