import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The modules that tests import in child processes. */
const ENTRIES = [
  'index',
  'client/internal',
  'client/gate/redis/redis-gate',
  'bulk/internal',
  'bulk/index',
  'security/file-lock',
];

/** The library as JavaScript in a temporary folder, for child processes of a test. */
export interface CompiledClient {
  /** Path of the library's entry file. */
  readonly url: string;
  remove(): Promise<void>;
}

/** Bundles the client without checking its types: a child process loads a few files instead of 200. */
export async function compileClient(): Promise<CompiledClient> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-client-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
    outbase: 'src',
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { __PETSTORE_VERSION__: '"0.0.0"' },
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(await realpath(join(ROOT, 'node_modules')), join(folder, 'node_modules'), 'dir');
  return {
    url: pathToFileURL(join(folder, 'index.js')).href,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
