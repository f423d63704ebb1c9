import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { shellWords } from '../support/parse-line.js';
import { runCli } from '../support/run-cli.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(ROOT, 'bin/petstore.cjs');

const tree = await readCommandTree();

/** A service that does one thing; the environment to reach it with. */
async function serviceThat(listener: RequestListener): Promise<Record<string, string>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { PETSTORE_BASE_URL: `http://127.0.0.1:${String(port)}/v1`, PETSTORE_API_KEY: 'k' };
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const refusal = (status: number) => answer(status, { code: 'c', message: 'no', status });

/** For each exit code a line that ends with it, against a service that does this. */
const LINES: readonly (readonly [exitCode: number, line: string, service: RequestListener])[] = [
  [0, 'pets list', answer(200, [])],
  [1, 'domain verify missing.example.test --mock', answer(200, [])],
  [2, 'pets list --limit 0', answer(200, [])],
  [3, 'pets list', refusal(401)],
  [4, 'pets get 7 -q', refusal(404)],
  [5, 'pets create --name Rex --category-id 7', refusal(400)],
  [6, 'pets list', answer(429, {}, { 'retry-after': '3600' })],
  [7, 'pets list --no-retry', refusal(503)],
  [8, 'domain verify shop.behind.test --mock --no-certificate', answer(200, [])],
  [9, 'domain verify shop.failing.test --mock --no-certificate', answer(200, [])],
  [10, 'pets create --name Rex --category-id 7', (request) => request.socket.destroy()],
];

describe('each exit code, of a process', () => {
  test('those that are documented, and no other', () => {
    const documented = tree.exitCodes.map(({ code }) => code).filter((code) => code < 128);
    expect(LINES.map(([exitCode]) => exitCode)).toEqual(documented);
  });

  test.each(LINES)('%d: petstore %s', async (exitCode, line, listener) => {
    const env = await serviceThat(listener);
    const plain = await runCli(shellWords(line), { env });
    expect(plain.exitCode, plain.stderr).toBe(exitCode);
    const isAnswer = line.startsWith('domain') || exitCode === 0;
    if (!isAnswer) expect(plain.stdout).toBe('');
    if (!isAnswer) expect(plain.stderr).toMatch(/^error: .+\nhint: .+\n$/);
    // Whoever reads a log needs no manual.
    const verbose = await runCli([...shellWords(line), '-v'], { env });
    expect(verbose.exitCode).toBe(exitCode);
    const told = /^exit code: (\d+) \(petstore help exit-codes\)$/m.exec(verbose.stderr);
    expect(told?.[1]).toBe(exitCode === 0 ? undefined : String(exitCode));
    if (isAnswer) return;
    const json = await runCli([...shellWords(line), '--json'], { env });
    expect({ exitCode: json.exitCode, stdout: json.stdout }).toEqual({ exitCode, stdout: '' });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { exitCode, hint: expect.any(String) } });
  });

  test.skipIf(process.platform !== 'linux').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while a pipe that the shell has made is read: %d, asked once', async (signal, exitCode) => {
    const pipe = fullPipe();
    const child = spawn(process.execPath, [COMMAND, 'pets', 'create', '--mock', '-f', '/dev/fd/0'], {
      env: { PATH: process.env.PATH ?? '', PETSTORE_CONFIG_DIR: '/nowhere' },
      stdio: [pipe, 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => said.push(String(text)));
    await vi.waitUntil(() => takesMore(pipe), { timeout: 15_000 });
    child.kill(signal);
    const [code] = await once(child, 'close');
    expect({ code, said }).toEqual({ code: exitCode, said: [] });
  });
});

/** The descriptor of a pipe that takes no more until somebody reads. */
function fullPipe(): number {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(pipe);
  });
  while (takesMore(pipe));
  return pipe;
}

function takesMore(pipe: number): boolean {
  try {
    return writeSync(pipe, Buffer.alloc(4_096, ' ')) > 0;
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' });
    return false;
  }
}

test('PETSTORE_ANNOTATIONS=github adds a line for the runner, and without it there is none', async () => {
  const env = await serviceThat(refusal(401));
  const line = ['pets', 'list'];
  const { exitCode, stdout, stderr } = await runCli(line, {
    env: { ...env, PETSTORE_ANNOTATIONS: 'github' },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toMatch(/^::error title=petstore%3A exit code 3::no%0Ahint: /m);
  expect((await runCli(line, { env: { ...env, GITHUB_ACTIONS: 'true' } })).stderr).not.toContain('::');
});
