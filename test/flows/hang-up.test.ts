import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../integration/programs.js';
import { csv, importFolder, received, writes } from '../support/import-folder.js';

const COMMAND = join(import.meta.dirname, '../../bin/petstore.cjs');

/** A slow service, so that a signal arrives during the import. */
const slowImport = () => importFolder(csv(200), { faults: ['slow:ms=40'] });

test('SIGHUP ends an import with 129, after its summary and the command to resume', async () => {
  const { mock, start } = await slowImport();
  const running = start('pets import pets.csv --json');
  await received(mock, 8);
  running.child.kill('SIGHUP');
  running.child.kill('SIGHUP');
  const { exitCode, stdout, stderr } = await running.finished;
  expect(exitCode).toBe(129);
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ rows: 200, unknown: 0, stopped: { reason: 'aborted' } });
  expect(summary.created).toBe(writes(mock.journal).length);
  expect(stderr).toContain('To resume, run: petstore pets import pets.csv --resume');
});

test('a second SIGINT ends an import at once with 130, its counts and the command to resume', async () => {
  // The first request is alone. A known plan has no other limits, so the next ones are in flight together.
  const faults = ['slow:ms=2000,route=POST /pets,skip=1'];
  const { mock, start } = await importFolder(csv(200), { faults, plan: 'pro' });
  const running = start('pets import pets.csv');
  await received(mock, 8);
  running.child.kill('SIGINT');
  await running.seen('stderr', /Stopping/);
  running.child.kill('SIGINT');
  const { exitCode, stderr } = await running.finished;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(
    /^Stopped at once\. [01] of 200 rows ha(?:s|ve) a response; [78] may have been sent without one\. To resume, run: petstore pets import pets\.csv --resume\n/m,
  );
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

const python = findProgram('python3');

test.skipIf(python === undefined)('an import survives a closed terminal without a core dump', async () => {
  const { folder, env } = await slowImport();
  const shell = ['/bin/sh', '-c', 'exec "$0" "$@" 2> stderr.txt'];
  const args = ['-c', CLOSE_TERMINAL, ...shell, process.execPath, COMMAND, 'pets', 'import', 'pets.csv'];
  const child = spawn(python!.path, args, {
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
