import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

const ROOT = join(import.meta.dirname, '../..');

test('prints the commit that was built, and null without a checkout', async () => {
  const { exitCode, stdout } = await runCli(['version', '--json']);
  const { commit } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  if (existsSync(join(ROOT, '.git'))) expect(commit).toMatch(/^[0-9a-f]{12,40}(-dirty)?$/);
  else expect(commit).toBeNull();
});
