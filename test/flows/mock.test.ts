import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test.each(IS_FULL ? (['SIGTERM', 'SIGINT'] as const) : (['SIGINT'] as const))(
  'petstore mock: a command can use its output, and %s stops it with exit code 0 (SIGTERM with PETSTORE_TEST_FULL=1)',
  async (signal) => {
    const folder = temporaryFolder();
    const readyFile = join(folder, 'ready.json');
    const data = join(folder, 'data.json');
    const mock = startCli(['mock', '--port', '0', '--ready-file', readyFile, '--data', data]);
    const [, baseUrl, key] = await mock.seen(
      'stdout',
      /^export PETSTORE_BASE_URL=(\S+) PETSTORE_API_KEY=(\S+)\n/,
    );
    const env = { PETSTORE_BASE_URL: baseUrl!, PETSTORE_API_KEY: key! };

    expect(JSON.parse(await readFile(readyFile, 'utf8'))).toMatchObject({
      pid: mock.child.pid,
      baseUrl,
      keys: [key],
    });
    const created = await runResident(['pets', 'create', '--name', 'Rex', '--category', '7', '-o', 'ids'], {
      env,
    });
    expect(created.exitCode).toBe(0);
    await mock.seen('stderr', /POST \/pets 201 \d/);

    mock.child.kill(signal);
    expect((await mock.finished).exitCode).toBe(0);
    expect(existsSync(readyFile)).toBe(false);
    expect(await readFile(data, 'utf8')).toContain('"Rex"');
    expect((await runResident(['pets', 'list', '--no-retry'], { env })).exitCode).toBe(7);
  },
);
