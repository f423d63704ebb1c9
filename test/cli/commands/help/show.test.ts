import { describe, expect, test } from 'vitest';
import { TOPICS } from '../../../../src/cli/command-line/command-table.js';
import { TOPIC_TEXTS } from '../../../../src/cli/commands/help/topics.js';
import { rootHelp } from '../../../../src/cli/help/root-help.js';
import { runFake } from '../../../support/fake-context.js';

describe('help', () => {
  test.each(Object.keys(TOPICS))('%s', async (topic) => {
    expect(await runFake(`help ${topic}`)).toMatchObject({
      exitCode: 0,
      stdout: TOPIC_TEXTS[topic],
      stderr: '',
    });
  });

  test.each(['', 'help', '--help', '-h', '-q'])('petstore %s prints the root help', async (line) => {
    expect(await runFake(line)).toMatchObject({ exitCode: 0, stdout: rootHelp(), stderr: '' });
  });

  test.each(['pets', 'pets list', 'pets get', 'pets create', 'limits', 'api', 'mock', 'version', 'help'])(
    'of %s is what --help prints',
    async (command) => {
      const { exitCode, stdout } = await runFake(`help ${command}`);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: petstore ${command} `));
      expect(stdout).toBe((await runFake(`${command} --help`)).stdout);
    },
  );

  test.each([
    ['help exit-code', 'did you mean exit-codes?'],
    ['help pest', 'did you mean pets?'],
    ['help pets lst', 'did you mean list?'],
    ['help zzzzzzz', 'petstore help lists commands and topics'],
    ['help limits x', 'usage: petstore help limits'],
  ])('%s: exit code 2', async (line, hint) => {
    const { exitCode, stdout, stderr } = await runFake(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`hint: ${hint}\n`);
  });

  test.each([
    ['help exit-codes extra', 'unexpected argument "extra"', 'usage: petstore help exit-codes'],
    ['help limits x', 'unexpected argument "x"', 'usage: petstore help limits'],
    ['help pets list x', 'unexpected argument "x"', 'usage: petstore help pets list'],
    ['help config sett', 'there is no help on "sett"', 'did you mean set?'],
  ])('%s: names what is too much', async (line, message, hint) => {
    const { exitCode, stderr } = await runFake(line);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`error: ${message}\nhint: ${hint}\n`);
  });
});
