import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_FULL } from './support/random-runs.js';
import { ROOT } from './support/source-tree.js';
import { temporaryFolder } from './support/temporary-folder.js';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-23\n';
/** Writes its arguments to a file. Sends nothing. */
const NPM = `#!/bin/sh
echo "$*" >> npm.log
case "$1" in
  pack) echo '[{"size":2048,"files":[{"path":"dist/index.js","size":1234}]}]' ;;
  test) exit "\${TEST_STATUS:-0}" ;;
esac
`;

/** A repository with an empty commit, and one with the files of a project. Each test copies it. */
const template = mkdtempSync(join(tmpdir(), 'petstore-release-'));
beforeAll(() => {
  git(template, 'init', '--quiet', '--template=');
  git(template, 'commit', '--quiet', '--allow-empty', '--message', 'Start');
  for (const [path, text] of Object.entries(filesOf({}))) writeFileSync(join(template, path), text);
  git(template, 'add', '.');
  git(template, 'commit', '--quiet', '--message', 'Add the project');
});
afterAll(() => {
  rmSync(template, { recursive: true });
});

const NOTHING_RELEASED = '# Changelog\n\n## [Unreleased]\n';
/** Problems alone. */
const ALSO_REJECTED: [Project, string][] = [
  [{ name: 'petstore' }, 'The package name petstore has no scope'],
  [{ changelog: NOTHING_RELEASED }, 'The newest release in CHANGELOG.md must be 1.2.3, with a date'],
  [{ changed: true }, 'The work tree has changes'],
  [{ args: ['--publish'] }, 'Packages are published only in CI'],
  [{ version: '1.2.4' }, 'The newest release in CHANGELOG.md must be 1.2.4, with a date'],
  [{ args: ['--publish'], env: { CI: 'true' } }, 'The release is not confirmed'],
];

describe('npm run release', () => {
  test('shows the files and sends nothing', async () => {
    const { exitCode, stdout, stderr, calls } = await release();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('     1234 dist/index.js\n1 files, 2 kB packed\n');
    expect(stdout).toContain('@owner/petstore@1.2.3 can be published. Nothing was sent.\n');
    expect(calls).not.toContain('publish');
  });

  test('publishes with provenance in CI if the release is confirmed', async () => {
    const env = { CI: 'true', PETSTORE_RELEASE: '@owner/petstore@1.2.3' };
    const { exitCode, stdout, calls } = await release({ args: ['--publish'], env });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('@owner/petstore@1.2.3 is published.\n');
    expect(calls).toMatch(/^test\npack .*\npublish --provenance --access public --tag latest$/m);
  });

  test.each([
    [['--dry-run'], 2, "error: Unknown option '--dry-run'"],
    ...(IS_FULL ? [[['now'], 2, "error: Unexpected argument 'now'"] as const] : []),
    [['--help'], 0, ''],
  ] as const)('%j: runs nothing (more with PETSTORE_TEST_FULL=1)', async (args, status, error) => {
    const { exitCode, stdout, stderr, calls } = await release({ args });
    expect({ exitCode, calls, isHelp: stdout.startsWith('npm run release ') }).toEqual({
      exitCode: status,
      calls: '',
      isHelp: status === 0,
    });
    expect(stderr).toContain(error);
  });

  test('publishes a prerelease under another tag', async () => {
    const { calls } = await release({
      args: ['--publish'],
      env: { CI: 'true', PETSTORE_RELEASE: '@owner/petstore@2.0.0-beta.1' },
      version: '2.0.0-beta.1',
      changelog: '## [2.0.0-beta.1] - 2026-11-23\n',
    });
    expect(calls).toContain('publish --provenance --access public --tag next');
  });

  test('names every problem, and publishes nothing', async () => {
    const { exitCode, stderr, calls } = await release({
      args: ['--publish'],
      name: 'petstore',
      changelog: NOTHING_RELEASED,
      changed: true,
    });
    expect(exitCode).toBe(1);
    expect(stderr.match(/^error: .*$/gm)).toEqual([
      expect.stringContaining('The package name petstore has no scope'),
      expect.stringContaining('The work tree has changes'),
      expect.stringContaining('The newest release in CHANGELOG.md must be 1.2.3, with a date'),
      expect.stringContaining('Packages are published only in CI'),
    ]);
    expect(calls).not.toContain('publish');
  });

  test.each([
    [{ taggedBefore: true }, 'The tag v1.2.3 names another commit'],
    [{ env: { TEST_STATUS: '1' } }, 'npm test failed'],
    [
      { args: ['--publish'], env: { CI: 'true', PETSTORE_RELEASE: '@owner/petstore@1.2.2' } },
      'The release is not confirmed',
    ],
    ...(IS_FULL ? ALSO_REJECTED : []),
  ] satisfies [Project, string][])(
    '%j: fails, and publishes nothing (more with PETSTORE_TEST_FULL=1)',
    async (project, error) => {
      const { exitCode, stderr, calls } = await release(project);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: .*\n(?:.*\n)?hint: .*\.\n$/);
      expect(stderr).toContain(error);
      expect(calls).not.toContain('publish');
    },
  );
});

interface Project {
  args?: readonly string[];
  env?: Record<string, string>;
  name?: string;
  version?: string;
  changelog?: string;
  changed?: boolean;
  taggedBefore?: boolean;
}

interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The calls of npm, one a line. */
  calls: string;
}

function git(cwd: string, ...args: string[]): void {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...author, ...args], { cwd, stdio: 'pipe' });
}

/** The files of a project that are committed. */
function filesOf({ name = '@owner/petstore', version = '1.2.3', changelog = CHANGELOG }: Project) {
  return {
    '.gitignore': 'bin\nnpm.log\n',
    'CHANGELOG.md': changelog,
    'package.json': JSON.stringify({ name, version }),
  };
}

/** Runs the script in a repository of its own, with a double of npm. */
async function release(project: Project = {}): Promise<Outcome> {
  const files = filesOf(project);
  const folder = temporaryFolder({ ...files, 'bin/npm': NPM, 'npm.log': '' });
  chmodSync(join(folder, 'bin/npm'), 0o755);
  cpSync(join(template, '.git'), join(folder, '.git'), { recursive: true });
  if (project.taggedBefore) git(folder, 'tag', 'v1.2.3', 'HEAD~1');
  if (JSON.stringify(files) !== JSON.stringify(filesOf({})))
    git(folder, 'commit', '--quiet', '--all', '--message', 'Change the project');
  if (project.changed) writeFileSync(join(folder, 'new-file'), '');
  const env = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH!}`,
    HOME: folder,
    ...project.env,
  };
  const args = [join(ROOT, 'build/release.mjs'), ...(project.args ?? [])];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env }, (failure, stdout, stderr) => {
      const calls = readFileSync(join(folder, 'npm.log'), 'utf8');
      resolve({ exitCode: failure === null ? 0 : Number(failure.code), stdout, stderr, calls });
    }),
  );
}
