import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { csv, importFolder, petNames, received, writes } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';
import { type Running, startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// A process is suspended, and another one takes over its lock. Without /proc, as on macOS and Windows, nobody can check its
// owner. With PETSTORE_TEST_FULL=1, the other process waits 15 s for a renewal; otherwise the test removes the lock.

const HIDE_PROC = { NODE_OPTIONS: `--require=${join(import.meta.dirname, '../support/hide-proc.cjs')}` };
const LOST = 'error: Another process changed or removed journal pets.csv.journal';
const HINT = 'hint: Wait until the other import has ended. Then run: petstore pets import pets.csv --resume';

/** Suspends a process whose lock is then lost. */
function suspend({ child }: Running, lock: string): void {
  child.kill('SIGSTOP');
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!IS_FULL) rmSync(lock, { recursive: true });
}

async function continued({ child, finished }: Running) {
  child.kill('SIGCONT');
  return finished;
}

describe.skipIf(process.platform === 'win32')('an import that was suspended and lost its lock', () => {
  /** Suspends an import before its first row, which waits for a list of pets. */
  async function suspendedAtStart() {
    const asked: (() => void)[] = [];
    const setup = await importFolder(csv(30), {
      faults: ['slow:ms=400,route=GET /pets'],
      onRequest: ({ method }) => {
        if (method === 'GET') for (const notify of asked.splice(0)) notify();
      },
    });
    const suspended = async (): Promise<Running> => {
      const isAsked = new Promise<void>((resolve) => asked.push(resolve));
      const running = setup.start('pets import pets.csv', { env: HIDE_PROC });
      await isAsked;
      suspend(running, `${setup.journal}.lock`);
      setup.mock.setFaults([]);
      return running;
    };
    return { ...setup, suspended };
  }

  test.runIf(IS_FULL)(
    'before its first row removes nothing of the import that took over, and sends nothing (PETSTORE_TEST_FULL=1)',
    async () => {
      const { mock, journal, folder, start, run, suspended } = await suspendedAtStart();
      const first = await suspended();
      expect(await start('pets import pets.csv', { env: HIDE_PROC }).finished).toMatchObject({ exitCode: 0 });
      const text = readFileSync(journal, 'latin1');
      const { exitCode, stderr } = await continued(first);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(LOST);
      expect(stderr).toContain(HINT);
      expect(readFileSync(journal, 'latin1')).toBe(text);
      expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal']);
      expect((await run('pets import pets.csv')).exitCode).toBe(0);
      expect(writes(mock.journal)).toHaveLength(30);
    },
    60_000,
  );

  test.runIf(IS_FULL)(
    'leaves the finished journal that the other one kept (PETSTORE_TEST_FULL=1)',
    async () => {
      const { mock, journal, folder, start, run, suspended } = await suspendedAtStart();
      expect((await run('pets import pets.csv')).exitCode).toBe(0);
      mock.setFaults(['slow:ms=400,route=GET /pets']);
      writeFileSync(join(folder, 'pets.csv'), csv(30).replaceAll('row', 'next'));
      const first = await suspended();
      expect(await start('pets import pets.csv', { env: HIDE_PROC }).finished).toMatchObject({ exitCode: 0 });
      const files = readdirSync(folder).sort();
      const text = readFileSync(journal, 'latin1');
      expect((await continued(first)).exitCode).toBe(1);
      expect([readdirSync(folder).sort(), readFileSync(journal, 'latin1')]).toEqual([files, text]);
      writeFileSync(join(folder, 'pets.csv'), csv(30));
      expect((await run('pets import pets.csv')).exitCode).toBe(2);
      expect(writes(mock.journal)).toHaveLength(60);
    },
    60_000,
  );

  test('between two rows ends with unknown rows, and no row is sent twice', async () => {
    const { mock, journal, start } = await importFolder(csv(30), {
      faults: ['slow:ms=200,route=POST /pets'],
    });
    const first = start('pets import pets.csv --concurrency 1', { env: HIDE_PROC });
    await received(mock, 3);
    suspend(first, `${journal}.lock`);
    mock.setFaults([]);
    const line = 'pets import pets.csv --resume --on-unknown skip';
    expect((await start(line, { env: HIDE_PROC }).finished).exitCode).toBe(10);
    const text = readFileSync(journal, 'latin1');
    const { exitCode, stderr } = await continued(first);
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining(LOST)]);
    expect(readFileSync(journal, 'latin1')).toBe(text);
    expect(new Set(petNames(mock)).size).toBe(petNames(mock).length);
    expect(writes(mock.journal)).toHaveLength(30);
  }, 60_000);
});

test.skipIf(process.platform === 'win32')(
  'a mock that was suspended and lost its lock does not save over the one that took over',
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'd.json');
    const args = ['mock', '--port', '0', '--pets', '0', '--data', path];
    const create = (baseUrl: string, name: string) =>
      fetch(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { authorization: 'Bearer mock-key', 'content-type': 'application/json' },
        body: JSON.stringify({ name, categoryId: 1 }),
      });
    const started = async () => {
      const mock = startCli(args, { env: HIDE_PROC });
      onTestFinished(() => void mock.child.kill('SIGKILL'));
      const [, baseUrl = ''] = await mock.seen('stdout', /PETSTORE_BASE_URL=(\S+)/);
      return { ...mock, baseUrl };
    };
    const first = await started();
    suspend(first, `${path}.lock`);
    const second = await started();
    expect((await create(second.baseUrl, 'Second')).status).toBe(201);
    second.child.kill('SIGTERM');
    expect((await second.finished).exitCode).toBe(0);
    first.child.kill('SIGCONT');
    expect((await create(first.baseUrl, 'First')).status).toBe(201);
    await first.seen('stderr', /The pets of this mock are no longer saved/);
    first.child.kill('SIGTERM');
    expect((await first.finished).exitCode).toBe(1);
    expect(readFileSync(path, 'utf8')).toContain('Second');
    expect(readFileSync(path, 'utf8')).not.toContain('First');
    expect(existsSync(`${path}.lock`)).toBe(false);
  },
  60_000,
);
