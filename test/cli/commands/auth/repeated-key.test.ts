import { describe, expect, test } from 'vitest';
import { authIn } from '../../../support/auth.js';
import { runFake } from '../../../support/fake-context.js';

const { logIn, setup } = authIn();

describe('a key on the command line is not repeated', () => {
  const KEY = 'sk-misplaced-0123456789';
  test.each([
    ['pets', 'list', '--status', KEY],
    ['pets', 'list', '--limit', KEY],
    ['pets', KEY],
    ['pets', 'list', `--colour-${KEY}`],
    [KEY],
  ])('a stored key: %j', async (...line) => {
    await logIn('', { stdin: KEY });
    const { exitCode, stdout, stderr } = await runFake(line, { env: setup.env });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
    expect(stderr).toContain('[key]');
  });

  test.each([
    ['pets', 'list', `--api-key=${KEY}`],
    ['auth', 'login', `--with-key=${KEY}`],
    ['pets', `--api-key=${KEY}`],
    [`--token=${KEY}`, 'pets', 'list'],
    ['pets', 'list', `--api-key=a\n${KEY}`],
    ['pets', 'list', `--api-key=it's=${KEY}`],
  ])('any value of an unknown option: %j', async (...line) => {
    const { exitCode, stdout, stderr } = await runFake(line, { env: setup.env });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
    expect(stderr).toMatch(/Unknown option ['"]--[a-z-]+=…['"]/);
  });
});
