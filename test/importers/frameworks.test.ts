import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const FRAMEWORKS = {
  express4: 'npm:express@^4',
  express5: 'npm:express@^5',
  fastify: '^5',
  hono: '^4',
  koa2: 'npm:koa@^2',
  koa3: 'npm:koa@^3',
};
interface Result {
  framework: string;
  method: 'GET' | 'POST';
  /** Of the service. */
  status: number;
  type: string;
  visitor: { status: number; headers: [name: string, value: string][]; body: string };
}

/** Headers of the service, and none of a framework. */
const HEADER_OF_SERVICE = /cookie|authenticate|retry-after|service|location/;

// Installs packages from npm, so only `.ci/run` asks for it.
test.skipIf(!process.env.PETSTORE_TEST_PACKAGES)(
  'an unhandled error of the client is safe in web frameworks (PETSTORE_TEST_PACKAGES is set)',
  { timeout: 300_000 },
  async () => {
    const manifest = { private: true, type: 'module', dependencies: FRAMEWORKS };
    const cwd = temporaryFolder({ 'package.json': manifest });
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', cwd];
    const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: ROOT })).stdout) as [
      { filename: string },
    ];
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['install', ...flags, `./${filename}`], { cwd });
    copyFileSync(join(ROOT, 'test/importers/frameworks.mjs'), join(cwd, 'frameworks.mjs'));
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await run(process.execPath, ['frameworks.mjs'], options);
    const results = JSON.parse(stdout) as Result[];

    expect(results).toHaveLength(Object.keys(FRAMEWORKS).length * 22);
    // The visitor gets no header, cookie or text of the service.
    expect(
      results.filter(
        ({ visitor }) =>
          visitor.headers.some(([name]) => HEADER_OF_SERVICE.test(name)) ||
          JSON.stringify(visitor).includes('s3cret'),
      ),
    ).toEqual([]);
    // Hono responds to each of these errors with 500. The others use the status of the error, if it has one.
    // A success or a redirect of the service is an error for the visitor, and so is a write that may have been stored.
    const expected = ({ framework, status, type }: Result): number =>
      framework === 'Hono' || /invalid-response|unknown-outcome/.test(type) ? 500 : status;
    expect(results.filter((result) => result.visitor.status !== expected(result))).toEqual([]);
    // They also log the error.
    expect(stderr).toContain('InvalidResponseError');
    expect(stderr).not.toContain('s3cret');
  },
);
