import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { runCli, startService } from '../support/run-cli.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(ROOT, 'bin/petstore.cjs');

const tree = await readCommandTree();

const respond =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const reject = (status: number) => respond(status, { code: 'c', message: 'no', status });

/** A command line for each exit code, and the service that it needs. */
const LINES: readonly (readonly [exitCode: number, line: string, service: RequestListener])[] = [
  [0, 'pets list', respond(200, [])],
  [1, 'domain verify missing.example.test --mock', respond(200, [])],
  [2, 'pets list --limit 0', respond(200, [])],
  [3, 'pets list', reject(401)],
  [4, 'pets get 7 -q', reject(404)],
  [5, 'pets create --name Rex --category 7', reject(400)],
  [6, 'pets list', respond(429, {}, { 'retry-after': '3600' })],
  [7, 'pets list --no-retry', reject(503)],
  [8, 'domain verify shop.behind.test --mock --no-certificate', respond(200, [])],
  [9, 'domain verify shop.failing.test --mock --no-certificate', respond(200, [])],
  [10, 'pets create --name Rex --category 7 --no-retry', (request) => request.socket.destroy()],
];

/** A success and a failure. All others end in the same way: in a process of their own only with PETSTORE_TEST_FULL=1. */
const OWN_PROCESS = [0, 10];

describe('exit codes of a process', () => {
  test('cover exactly the documented codes', () => {
    const documented = tree.exitCodes.map(({ code }) => code).filter((code) => code < 128);
    expect(LINES.map(([exitCode]) => exitCode)).toEqual(documented);
  });

  test.each(LINES)('%d: petstore %s', async (exitCode, line, listener) => {
    const env = await startService(listener);
    const runPlain = IS_FULL || OWN_PROCESS.includes(exitCode) ? runCli : runResident;
    const plain = await runPlain(shellWords(line), { env });
    expect(plain.exitCode, plain.stderr).toBe(exitCode);
    const hasResult = line.startsWith('domain') || exitCode === 0;
    if (!hasResult) expect(plain.stdout).toBe('');
    if (!hasResult) expect(plain.stderr).toMatch(/^error: .+\nhint: .+\n$/);
    const verbose = await runResident([...shellWords(line), '-v'], { env });
    expect(verbose.exitCode).toBe(exitCode);
    const reported = /^exit code: (\d+) \(petstore help exit-codes\)$/m.exec(verbose.stderr);
    expect(reported?.[1]).toBe(exitCode === 0 ? undefined : String(exitCode));
    if (hasResult) return;
    const json = await runResident([...shellWords(line), '--json'], { env });
    expect({ exitCode: json.exitCode, stdout: json.stdout }).toEqual({ exitCode, stdout: '' });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { exitCode, hint: expect.any(String) } });
  });

  test
    .skipIf(process.platform !== 'linux')
    .each([['SIGINT', 130], ...(IS_FULL ? [['SIGTERM', 143] as const] : [])] as const)(
    'one %s while an inherited pipe is read: %d (more with PETSTORE_TEST_FULL=1)',
    async (signal, exitCode) => {
      const pipe = fullPipe();
      const child = spawn(process.execPath, [COMMAND, 'pets', 'create', '--mock', '-f', '/dev/fd/0'], {
        env: { PATH: process.env.PATH ?? '', PETSTORE_CONFIG_DIR: '/nowhere' },
        stdio: [pipe, 'pipe', 'pipe'],
      });
      const output: string[] = [];
      for (const stream of [child.stdout!, child.stderr!])
        stream.on('data', (text) => output.push(String(text)));
      await vi.waitUntil(() => canWrite(pipe), { timeout: 15_000 });
      child.kill(signal);
      const [code] = await once(child, 'close');
      expect({ code, output }).toEqual({ code: exitCode, output: [] });
    },
  );
});

/** Returns the descriptor of a full pipe. */
function fullPipe(): number {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(pipe);
  });
  while (canWrite(pipe));
  return pipe;
}

function canWrite(pipe: number): boolean {
  try {
    return writeSync(pipe, Buffer.alloc(4_096, ' ')) > 0;
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' });
    return false;
  }
}
