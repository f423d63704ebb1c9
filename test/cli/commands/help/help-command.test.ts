import { describe, expect, test } from 'vitest';
import { TOPICS } from '../../../../src/cli/command-line/command-table.js';
import { topicTexts } from '../../../../src/cli/commands/help/topics.js';
import { wrapText } from '../../../../src/cli/output/text/wrap.js';
import { rootHelp } from '../../../../src/cli/command-line/root-help.js';
import { runFake } from '../../../support/fake-context.js';

const TOPIC_TEXTS = await topicTexts();

describe('help', () => {
  test.each(Object.keys(TOPICS))('prints the topic %s', async (topic) => {
    expect(await runFake(`help ${topic}`)).toMatchObject({
      exitCode: 0,
      stdout: wrapText(TOPIC_TEXTS[topic]!, 80),
      stderr: '',
    });
  });

  test.each(['', 'help', '--help', '-h', '-q'])('petstore %s prints the root help', async (line) => {
    expect(await runFake(line)).toMatchObject({ exitCode: 0, stdout: rootHelp(), stderr: '' });
  });

  test.each(['pets', 'pets list', 'pets get', 'pets create', 'limits', 'api', 'mock', 'version', 'help'])(
    'prints the same for %s as --help',
    async (command) => {
      const { exitCode, stdout } = await runFake(`help ${command}`);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: petstore ${command} `));
      expect(stdout).toBe((await runFake(`${command} --help`)).stdout);
    },
  );

  test('no help is wider than 60 columns on such a terminal', async () => {
    const { stdout: tree } = await runFake('commands -o json');
    const { commands } = JSON.parse(tree) as { commands: { words: string[] }[] };
    const lines = ['--help', ...commands.map(({ words }) => `help ${words.join(' ')}`)];
    expect(lines.length).toBeGreaterThan(30);
    const long: string[] = [];
    for (const line of [...lines, ...Object.keys(TOPICS).map((topic) => `help ${topic}`)]) {
      const { stdout } = await runFake(line, { terminals: ['stdout'], columns: 60 });
      long.push(...stdout.split('\n').filter((shown) => shown.length > 60));
    }
    expect(long).toEqual([]);
  });
});

test.each(['help exit-codes', 'completion bash'])('%s ignores the configured format', async (line) => {
  const outcome = await runFake(line, { env: { PETSTORE_OUTPUT: 'json' } });
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
});

test.each(['help pets list --profile x', 'help --color never pets list', 'help pets list -q'])(
  '%s is the help of the command',
  async (line) => {
    expect((await runFake(line)).stdout).toMatch(/^Usage: petstore pets list /);
  },
);
