import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { COMMAND_LINES } from '../../support/command-lines.js';
import { runFake } from '../../support/fake-context.js';

const tree = await readCommandTree();
const flags = tree.commands
  .filter(({ isGroup }) => !isGroup)
  .flatMap(({ words, flags }) => {
    const command = words.join(' ');
    const all = command === 'pets list' ? [...flags, ...tree.globalFlags] : flags;
    return all
      .filter(({ placeholder }) => placeholder !== undefined)
      .map(({ long, summary }) => ({ command, long, summary }));
  });
const isRepeatable = ({ summary }: (typeof flags)[number]) => summary.includes('repeatable');

async function refusal(argv: readonly string[]) {
  const { exitCode, stdout, stderr, requests } = await runFake(argv);
  expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
  return stderr;
}

describe('a flag with one value that is given twice is an error', () => {
  test.each(flags.filter((flag) => !isRepeatable(flag)))('$command $long', async ({ command, long }) => {
    // Only the arguments: the command's own flags may be the repeated one.
    const args = COMMAND_LINES[command]!.replace(/--?[a-z].*/, '').trim();
    const argv = [...`${command} ${args}`.trim().split(' '), `${long}=1`, `${long}=1`];
    const stderr = await refusal(argv);
    expect(stderr).toContain(`${long} is given twice`);
    expect(stderr).toContain('Pass it once');
  });

  test.each([
    'pets list --status available --status sold',
    'pets list -s available --status=sold',
    'pets list -ssold --status sold',
    'pets list --status sold --limit 5 -qs sold',
  ])('%s', async (line) => {
    expect(await refusal(line.split(' '))).toBe(
      'error: --status is given twice\nhint: Pass it once, with commas between the values.\n',
    );
  });

  test.each([
    ['--output', '-o json pets list -o csv'],
    ['--output', '-ojson pets --output=csv list'],
    ['--profile', '--profile a pets list --profile b'],
    ['--timeout', 'pets --timeout 1s list --timeout 2s'],
    ['--json', 'pets list --json id --json name'],
    ['--method', 'api -X GET /pets -X POST'],
    ['--base-url', 'doctor --base-url https://a.test --base-url https://b.test'],
    ['--port', 'mock --port 0 --port 0'],
  ])('%s: %s', async (flag, line) => {
    expect(await refusal(line.split(' '))).toContain(`${flag} is given twice`);
  });
});

describe('other flags may be repeated', () => {
  test.each([
    'pets list -q -q --all --all',
    'pets list --name --status --status sold',
    'api POST /pets -F a=1 -F b=2 -f c=3 -f d=4 -H x-a:1 -H x-b:2',
    'mock faults --key a --key b --fault flaky --fault slow',
  ])('%s', async (line) => {
    expect(await runFake(line.split(' '))).toMatchObject({ exitCode: 0 });
  });

  test('what follows -- is no flag', async () => {
    expect((await runFake('pets get --via list -- --via')).stderr).not.toContain('twice');
  });

  test.each(flags.filter(isRepeatable))('$command $long', async ({ command, long }) => {
    const { stderr } = await runFake([...command.split(' '), long, 'x:1', long, 'x:1', '--bogus']);
    expect(stderr).not.toContain(`${long} is given twice`);
  });
});
