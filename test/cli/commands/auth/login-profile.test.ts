import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Prompter } from '../../../../src/cli/system/context.js';
import { keyFileOf, authIn, person, SECRET, URL } from '../../../support/auth.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { logIn, setup, run } = authIn();

describe('login uses the selected profile', () => {
  const projectAt = (content: unknown): string => temporaryFolder({ 'petstore.config.json': content });

  test('does not silently replace the key of a profile that a project file selects', async () => {
    await logIn('--profile live');
    const currentDirectory = projectAt({ profile: 'live' });
    const { exitCode, stderr, requests } = await logIn('', { currentDirectory, stdin: 'sk-other' });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(
      /selects profile live, which already has a key\nhint: .*auth login --profile live/,
    );
    const keyOf = (): string => readFileSync(join(setup.folder, keyFileOf('live')), 'utf8');
    expect(keyOf()).toBe(`${SECRET}\n`);

    const prompts: string[] = [];
    const terminals = ['stdin', 'stderr'] as const;
    const no = { currentDirectory, terminals, columns: 300, prompter: person('sk-other', prompts) };
    expect(await run(`auth login --base-url ${URL}`, no)).toMatchObject({ exitCode: 2, requests: [] });
    expect(prompts).toEqual([
      expect.stringMatching(/selects profile live, which already has a key\. Replace it\?/),
    ]);
    expect(keyOf()).toBe(`${SECRET}\n`);
    const yes: Prompter = {
      ...person('sk-other'),
      choose: (_, choices) => Promise.resolve(choices[1]!.value),
    };
    const line = `auth login --base-url ${URL}`;
    expect(await run(line, { ...no, prompter: yes })).toMatchObject({ exitCode: 0 });
    expect(keyOf()).toBe('sk-other\n');
    // Named by hand it is what its owner wants.
    expect(await logIn('--profile live', { currentDirectory })).toMatchObject({ exitCode: 0 });
    expect(keyOf()).toBe(`${SECRET}\n`);
  });

  test('does not silently replace its address; the path cannot change the prompt', async () => {
    await run('config set baseUrl https://old.test/v1 --profile live');
    const currentDirectory = join(temporaryFolder(), 'd\u001b[31m\u202eX');
    mkdirSync(currentDirectory);
    writeFileSync(join(currentDirectory, 'petstore.config.json'), '{ "profile": "live" }');
    const { exitCode, stderr } = await logIn('', { currentDirectory });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('which already has another base URL, https://old.test/v1');
    const prompts: string[] = [];
    const terminals = ['stdin', 'stderr'] as const;
    const result = await run(`auth login --base-url ${URL}`, {
      env: { ...setup.env, NO_COLOR: '1' },
      currentDirectory,
      terminals,
      prompter: person(SECRET, prompts),
    });
    expect(prompts).toHaveLength(1);
    expect(prompts.join('') + result.stderr).not.toMatch(/[\u001b\u202e]/);
  });
});
