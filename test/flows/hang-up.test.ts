import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(import.meta.dirname, '../../bin/petstore.cjs');

/** Starts a slow service, so that a signal arrives during the import. */
async function slowImport() {
  const mock = createMock({ keys: ['k'], plan: 'unlimited', pets: 0, faults: ['slow:ms=40'] });
  const server = await mock.listen();
  onTestFinished(() => server.close());
  const rows = Array.from({ length: 200 }, (_, at) => `row ${String(at + 1)},7\n`).join('');
  const folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${rows}` });
  const env = {
    PETSTORE_BASE_URL: server.baseUrl,
    PETSTORE_API_KEY: 'k',
    PETSTORE_STATE_DIR: join(folder, 'state'),
  };
  return { mock, folder, env };
}

test('SIGHUP ends an import with 129, after its summary and the command to resume', async () => {
  const { mock, folder, env } = await slowImport();
  const running = startCli(['pets', 'import', 'pets.csv', '--json'], { cwd: folder, env });
  const poll = setInterval(() => {
    if (mock.journal.length < 8) return;
    clearInterval(poll);
    running.child.kill('SIGHUP');
    running.child.kill('SIGHUP');
  }, 5);
  const { exitCode, stdout, stderr } = await running.finished;
  expect(exitCode).toBe(129);
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ rows: 200, unknown: 0, stopped: { reason: 'aborted' } });
  expect(summary.created).toBe(mock.journal.filter(({ method }) => method === 'POST').length);
  expect(stderr).toContain('To resume, run: petstore pets import pets.csv --resume');
});

/** Runs a command in a terminal, closes the terminal when the journal has created rows, and prints the signal that ended it. */
const CLOSE_TERMINAL = `
import os, pty, sys, time
pid, master = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while not os.path.exists('pets.csv.journal') or open('pets.csv.journal', 'rb').read().count(b'=') < 20:
    time.sleep(0.01)
os.close(master)
_, status = os.waitpid(pid, 0)
print('signal', os.WTERMSIG(status))
`;

const python = spawnSync('python3', ['-c', 'import pty']);

test.skipIf(python.status !== 0)('an import survives a closed terminal without a core dump', async () => {
  const { folder, env } = await slowImport();
  const shell = ['/bin/sh', '-c', 'exec "$0" "$@" 2> stderr.txt'];
  const args = ['-c', CLOSE_TERMINAL, ...shell, process.execPath, COMMAND, 'pets', 'import', 'pets.csv'];
  const child = spawn('python3', args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PETSTORE_CONFIG_DIR: '/nowhere', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await new Promise((resolve) => child.once('close', resolve));
  // Not 6 (SIGABRT with a core dump) or 9 (SIGKILL).
  expect(out).toBe('signal 1\n');
  expect(readFileSync(join(folder, 'stderr.txt'), 'utf8')).toMatch(
    /^Stopping\. .*\nTo resume, run: petstore pets import pets\.csv --resume\n$/m,
  );
});
