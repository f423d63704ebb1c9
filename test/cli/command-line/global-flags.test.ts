import { expect, test } from 'vitest';
import { flagNames, GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { runFake } from '../../support/fake-context.js';

test('each has a short summary', () => {
  expect(GLOBAL_FLAGS.filter(({ summary }) => summary.length < 10 || summary.length > 65)).toEqual([]);
});

test.each(GLOBAL_FLAGS.filter(({ flags }) => flags.includes('<')).map(({ flags }) => flags))(
  'rejects %s without its value',
  async (flags) => {
    const flag = /--[\w-]+/.exec(flags)![0];
    expect(await runFake(`pets list ${flag}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('needs a value'),
    });
  },
);

test.each([
  ['-o, --output <format>', ['-o', '--output']],
  ['--no-header', ['--no-header']],
])('the names of %s', (flags, names) => {
  expect(flagNames({ flags, summary: '' })).toEqual(names);
});
