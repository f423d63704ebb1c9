import { expect, test } from 'vitest';
import { COMMANDS } from '../../../../src/cli/command-line/command-table.js';
import { runFake } from '../../../support/fake-context.js';

test('the group has all subcommands, and prints its help without one', async () => {
  const { exitCode, stdout, stderr } = await runFake('pets');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?: <[a-z]+>)? {2,}\S/gm)].map((match) => match[1]);
  expect(listed).toEqual(Object.keys(COMMANDS.pets!.verbs!));
});

test('suggests a similar subcommand', async () => {
  expect(await runFake('pets lst')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'error: Unknown command "pets lst"\nhint: Did you mean "petstore pets list"?\n',
  });
});
