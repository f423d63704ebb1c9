import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireBuild } from './support/built.js';
import { IS_FULL } from './support/random-runs.js';
import { ROOT } from './support/source-tree.js';

requireBuild();

/** Other Node binaries; `.ci/run` installs them. */
const others = (process.env.PETSTORE_TEST_NODES ?? '').split(delimiter).filter((path) => path !== '');
const ENTRY = join(ROOT, 'dist/index.js');

/** A program of an importer. The addresses are arguments, so that all runs use one bundle. */
const PROGRAM = `
import { createPetStore } from 'petstore';
async function main() {
  const store = createPetStore({ apiKey: 'test-key', baseUrl: process.argv[2], gate: 'memory' });
  const pets = await store.pets.list({ limit: 2 });
  console.log(pets.map(({ id, name }) => id + ' ' + name).join());
  await store.close();
}
main();
`;

/** Parts that need no network. */
const OFFLINE = `
import { expectedRecords } from 'petstore/domain';
import { createMock } from 'petstore/mock';
const wanted = { name: 'www.example.com', kind: 'subdomain', zone: 'example.com', target: 'shop.example.net' };
const [record] = expectedRecords(wanted);
createMock().listen({ dnsPort: 0 }).then((server) => {
  console.log(record.type, record.label, server.dns.port > 0);
  return server.close();
});
`;

/** The tested bundles: a module and a CommonJS file without PETSTORE_TEST_FULL=1. */
const PROGRAMS = IS_FULL ? ['esbuild.mjs', 'esbuild.cjs', 'rollup.mjs', 'rollup.cjs'] : ['esbuild.mjs'];
const OFFLINE_PROGRAMS = [...(IS_FULL ? ['offline.esbuild.mjs'] : []), 'offline.esbuild.cjs'];

const folder = mkdtempSync(join(tmpdir(), 'petstore-bundles-'));
const program = join(folder, 'program.mjs');
const service = createServer((_, response) => {
  response
    .setHeader('content-type', 'application/json')
    .end('[{"id":9007199254740993,"name":"Rex","categoryId":7}]');
});
let baseUrl = '';

beforeAll(async () => {
  writeFileSync(program, PROGRAM);
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((service.address() as { port: number }).port)}/v1`;
  const offline = join(folder, 'offline.mjs');
  writeFileSync(offline, OFFLINE);
  await Promise.all([
    ...PROGRAMS.filter((file) => file.startsWith('esbuild')).map((file) => bundleWithEsbuild(program, file)),
    ...OFFLINE_PROGRAMS.map((file) => bundleWithEsbuild(offline, file)),
    ...(IS_FULL ? [bundleWithRollup()] : []),
  ]);
});

afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true });
});

async function bundleWithEsbuild(entry: string, file: string): Promise<void> {
  const { warnings } = await build({
    entryPoints: [entry],
    outfile: join(folder, file),
    bundle: true,
    platform: 'node',
    format: file.endsWith('.mjs') ? 'esm' : 'cjs',
    alias: {
      'petstore/domain': join(ROOT, 'dist/domain/index.js'),
      'petstore/mock': join(ROOT, 'dist/mock/index.js'),
      petstore: ENTRY,
    },
    nodePaths: [join(ROOT, 'node_modules')],
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
}

/** Without the CommonJS plugin rollup can't bundle undici, so it stays a package next to the bundle. */
async function bundleWithRollup(): Promise<void> {
  const { rollup } = await import('rollup');
  const bundle = await rollup({
    input: program,
    external: (name) => /^(?:node:|[a-z@])/.test(name) && name !== 'petstore',
    plugins: [{ name: 'petstore', resolveId: (name) => (name === 'petstore' ? ENTRY : null) }],
  });
  const shared = { dir: folder, paths: (name: string) => packagePath(name) };
  await bundle.write({
    ...shared,
    format: 'esm',
    entryFileNames: 'rollup.mjs',
    chunkFileNames: '[name].mjs',
  });
  await bundle.write({
    ...shared,
    format: 'cjs',
    entryFileNames: 'rollup.cjs',
    chunkFileNames: '[name].cjs',
  });
}

function packagePath(name: string): string {
  return name.startsWith('node:')
    ? name
    : join(ROOT, 'node_modules', name, name === 'zod' ? 'index.cjs' : 'index.js');
}

describe.each([process.execPath, ...others])('%s', (node) => {
  test.each(PROGRAMS)('runs the bundle %s (more with PETSTORE_TEST_FULL=1)', async (file) => {
    const { stdout, stderr } = await promisify(execFile)(node, [join(folder, file), baseUrl], { env: {} });
    expect({ stdout, stderr }).toEqual({ stdout: '9007199254740993 Rex\n', stderr: '' });
  });

  test.each(OFFLINE_PROGRAMS)('runs the bundle %s', async (file) => {
    const { stdout, stderr } = await promisify(execFile)(node, [join(folder, file)], { env: {} });
    expect({ stdout, stderr }).toEqual({ stdout: 'CNAME www true\n', stderr: '' });
  });
});
