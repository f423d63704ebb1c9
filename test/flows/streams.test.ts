import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { startCli, startService } from '../support/run-cli.js';
import { ROOT } from '../support/source-tree.js';

/** A list that is larger than a pipe. */
const BIG = JSON.stringify(
  Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'a name of some length', categoryId: 1 })),
);

const respondBig: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'application/json').end(BIG);
};

describe('pipes', () => {
  /** Runs a shell pipeline in which `petstore` is the built command. */
  function inShell(line: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
    const command = `'${process.execPath}' '${join(ROOT, 'bin/petstore.cjs')}'`;
    const text = line.replaceAll('petstore', command);
    const shell = { PATH: process.env.PATH ?? '', PETSTORE_CONFIG_DIR: '/nowhere', PETSTORE_GATE: 'memory' };
    return promisify(execFile)('bash', ['--norc', '-c', text], { env: { ...shell, ...env } });
  }

  test('3 MiB arrive whole at a slow reader', async () => {
    const huge = JSON.stringify(Array.from({ length: 12 }, () => BIG));
    expect(huge.length).toBeGreaterThan(3 * 2 ** 20);
    const env = await startService((_request, response) => {
      response.setHeader('content-type', 'application/json').end(huge);
    });
    const { stdout } = await inShell('petstore api /x | { sleep 0.3; wc -c; }', env);
    expect(Number(stdout)).toBe(huge.length + 1);
  });

  const CLOSED: [string, string, string][] = [
    [
      'stdout and stderr',
      'petstore api /pets -v 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"',
      '> GET URL\n0\n',
    ],
    ['stdout', 'petstore api /pets | head -c 1; echo " ${PIPESTATUS[0]}"', '[ 0\n'],
    [
      'help',
      'petstore pets list --help | head -n 1; echo "${PIPESTATUS[0]}"',
      'Usage: petstore pets list [flags]\n0\n',
    ],
  ];
  const CLOSED_TITLE = 'head closes the pipe of %s: no error, exit code 0 (more with PETSTORE_TEST_FULL=1)';
  test.each(IS_FULL ? CLOSED : CLOSED.slice(0, 1))(CLOSED_TITLE, async (_, line, shown) => {
    const env = await startService(respondBig);
    const { stdout, stderr } = await inShell(line, env);
    expect(stdout.replace(/http:\S+/, 'URL')).toBe(shown);
    expect(stderr).toBe('');
  });

  const ENDLESS: [line: string, reader: string, lineCount: number][] = [
    ['mock --port 0 -q', 'head -n 1', 1],
    ['pets list --all --watch --interval 24h -q --mock', 'head -n 2', 2],
    ['pets list --all --watch --interval 24h -q --mock -o ndjson', 'head -n 1', 1],
    [
      'domain verify pending.example.test --target a.example.test --wait --timeout 24h --mock -o ndjson',
      'head -n 1',
      1,
    ],
  ];
  test.skipIf(process.platform !== 'linux').each(IS_FULL ? ENDLESS : ENDLESS.slice(0, 2))(
    '%s ends when its reader ends (more with PETSTORE_TEST_FULL=1)',
    { timeout: 60_000 },
    async (line, reader, lineCount) => {
      const { stdout, stderr } = await inShell(`petstore ${line} | ${reader}; echo "\${PIPESTATUS[0]}"`, {});
      expect(stdout.split('\n').slice(0, -1)).toHaveLength(lineCount + 1);
      expect(stdout).toMatch(/\n0\n$/);
      expect(stderr).toBe('');
    },
  );

  // head closes stdout.
  test.each(IS_FULL ? (['stdout', 'stderr'] as const) : (['stderr'] as const))(
    'a closed reader of %s: no error, exit code 0 (stdout with PETSTORE_TEST_FULL=1)',
    async (stream) => {
      const { child, finished } = startCli(['api', '/pets', '-v'], { env: await startService(respondBig) });
      child[stream]!.destroy();
      const { exitCode, stderr } = await finished;
      expect(exitCode).toBe(0);
      expect(stderr).not.toMatch(/error|EPIPE| at /);
    },
  );
});

describe('signals', () => {
  const limited: RequestListener = (_request, response) => {
    response.writeHead(429, { 'retry-after': '50' }).end();
  };

  // The next tests send SIGINT.
  test.each([...(IS_FULL ? [['SIGINT', 130] as const] : []), ['SIGTERM', 143]] as const)(
    '%s during a wait for the rate limit: %d, stdout empty (more with PETSTORE_TEST_FULL=1)',
    async (signal, exitCode) => {
      const running = startCli(['pets', 'list'], { env: await startService(limited) });
      await running.seen('stderr', /Rate limit reached\. Retrying in .*\n/);
      running.child.kill(signal);
      const outcome = await running.finished;
      expect(outcome).toMatchObject({ exitCode, stdout: '' });
      expect(outcome.stderr).not.toContain('error');
    },
  );

  test('^C while the service does not respond: 130, no output', async () => {
    let received!: () => void;
    const request = new Promise<void>((resolve) => (received = resolve));
    const running = startCli(['pets', 'list'], { env: await startService(() => received()) });
    await request;
    running.child.kill('SIGINT');
    expect(await running.finished).toEqual({ exitCode: 130, stdout: '', stderr: '' });
  });

  test('^C while stdin is read: 130', async () => {
    const running = startCli(['pets', 'create', '-f', '-'], { keepStdinOpen: true });
    // More than fits in a pipe: the write ends when the command reads.
    await new Promise((resolve) => running.child.stdin!.write(' '.repeat(2 ** 20), resolve));
    running.child.kill('SIGINT');
    expect(await running.finished).toMatchObject({ exitCode: 130, stdout: '' });
  });
});
