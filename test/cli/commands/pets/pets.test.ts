import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';

test('suggests a similar subcommand', async () => {
  expect(await runFake('pets lst')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'error: Unknown command "pets lst"\nhint: Did you mean "petstore pets list"?\n',
  });
});
