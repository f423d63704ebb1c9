import { expect, test } from 'vitest';
import { runFake } from '../../support/fake-context.js';

test('lists one command a line', async () => {
  const { exitCode, stdout } = await runFake('commands');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('pets list\tList pets (also: ls)\n');
  expect(stdout).not.toMatch(/^pets\t/m);
});

test('wraps summaries between words on a narrow terminal', async () => {
  const { stdout } = await runFake('commands', {
    terminals: ['stdout'],
    env: { NO_COLOR: '1' },
    columns: 40,
  });
  expect(stdout).toMatch(/^pets import +Create a pet for each( row)?$/m);
  expect(stdout).not.toContain('…');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('prints the whole tree as JSON', async () => {
  const { stdout } = await runFake('commands --json');
  const tree = JSON.parse(stdout);
  expect(Object.keys(tree)).toEqual([
    'name',
    'version',
    'commands',
    'globalFlags',
    'environment',
    'exitCodes',
    'mockDomains',
    'topics',
  ]);
});

test('applies a query to the tree', async () => {
  const { stdout } = await runFake(['commands', '--query', 'exitCodes[?code==`10`].name', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual(['unknown-outcome']);
});
