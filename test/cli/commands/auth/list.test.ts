import { describe, expect, test } from 'vitest';
import { authIn, person, URL } from '../../../support/auth.js';
import type { World } from '../../../support/fake-context.js';

const { logIn, setup, run } = authIn();

describe('list and switch', () => {
  test('mark the selected profile', async () => {
    await logIn();
    await logIn('--profile staging');
    expect((await run('auth list')).stdout).toBe(`*\tdefault\t${URL}\tfile\n\tstaging\t${URL}\tfile\n`);
    expect(await run('auth switch staging')).toMatchObject({ exitCode: 0, stdout: '' });
    const { stdout } = await run('auth list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ current: false }, { current: true, profile: 'staging' }]);
  });

  test('suggests a similar name for an unknown profile', async () => {
    await logIn('--profile staging');
    const { exitCode, stderr } = await run('auth switch stagnig');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean "staging"?');
  });

  test('switch without a name prompts on a terminal and lists the names otherwise', async () => {
    await logIn();
    await logIn('--profile staging');
    expect((await run('auth switch')).stderr).toContain('Pass one of: default, staging.');
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person('') };
    expect(await run('auth switch', world)).toMatchObject({ exitCode: 0 });
  });

  test('warns about a variable that overrides the choice', async () => {
    await logIn();
    await logIn('--profile staging');
    const { stderr } = await run('auth switch staging', {
      env: { ...setup.env, PETSTORE_PROFILE: 'default' },
    });
    expect(stderr).toContain('selected by PETSTORE_PROFILE');
  });
});
