import { expect, test } from 'vitest';
import { shellText } from '../../../../src/cli/errors/shell-word.js';
import { FAULT_NAMES, parseFault } from '../../../../src/mock/index.js';
import { runFake } from '../../../support/fake-context.js';

test('lists every fault with its parameters and an example', async () => {
  const { exitCode, stdout: page } = await runFake(['mock', 'faults'], {
    terminals: ['stdout'],
    env: { NO_COLOR: '1' },
  });
  expect(exitCode).toBe(0);
  const stdout = page.replace(/ \\\n +/g, ' ');
  for (const name of FAULT_NAMES) expect(stdout).toContain(name);
  const commands = stdout.split('\n').filter((line) => line.startsWith('petstore mock --fault '));
  expect(commands).toContain('petstore mock --fault rate-limit:seconds=5');
  expect(commands).toContain("petstore mock --fault 'slow:ms=250,route=GET /pets'");
  expect(commands).toHaveLength(FAULT_NAMES.length + 1);
  for (const command of commands) expect(() => parseFault(shellText(command.slice(22)))).not.toThrow();
});

test('lists them as JSON', async () => {
  const { exitCode, stdout } = await runFake(['mock', 'faults', '-o', 'json']);
  expect(exitCode).toBe(0);
  const faults = JSON.parse(stdout) as { name: string; parameters: object[] }[];
  expect(faults.map(({ name }) => name)).toEqual(FAULT_NAMES);
  expect(faults[0]?.parameters).toContainEqual({
    name: 'seconds',
    summary: 'Length of the block, in seconds',
    default: 1,
  });
});

test('lists them as CSV', async () => {
  const { stdout } = await runFake(['mock', 'faults', '-o', 'csv', '--fields', 'name,parameters']);
  expect(stdout).toContain('rate-limit,seconds=1 route query body skip times=1 probability');
});
