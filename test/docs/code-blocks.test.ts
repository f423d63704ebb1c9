import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type MockServer } from '../../src/mock/index.js';
import { codeBlocksOf, readPages, type CodeBlock } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';

const KEY = 'mock-key';
/** Blocks without a client of their own continue with `store`. */
const STORE = `import { createPetStore as createStore } from 'petstore';
const store = createStore({ apiKey: process.env.PETSTORE_API_KEY!, baseUrl: process.env.PETSTORE_BASE_URL! });
`;
/** `petstore/domain` with the mock's name servers as default. */
const DOMAIN = `import * as domain from 'petstore/domain';
export * from 'petstore/domain';
const network = { resolvers: [process.env.DNS_ADDRESS], authoritativePort: Number(process.env.DNS_PORT) };
export const checkDomain = (request, options) =>
  domain.checkDomain({ certificate: false, ...request }, { ...network, ...options });
`;

const blocks = readPages()
  .flatMap(codeBlocksOf)
  .map((block) => ({ ...block, name: `${block.page}:${String(block.line)}` }));
const programs = blocks.filter(({ language }) => language === 'ts' || language === 'js');
const pythonBlocks = blocks.filter(({ language }) => language === 'python');
const hasPython = spawnSync('python3', ['--version']).status === 0;

let folder: string;
let server: MockServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
  writeFileSync(join(folder, 'domain.mjs'), DOMAIN);
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/petstore'));
  for (const name of ['msw', 'undici', 'zod', '@types/node', '@redis'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  server = await createMock({ keys: [KEY], plan: 'unlimited' }).listen({ dnsPort: 0 });
  writeFileSync(
    join(folder, 'mock.json'),
    JSON.stringify({ url: server.url, baseUrl: server.baseUrl, keys: [KEY] }),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('TypeScript examples type-check', { timeout: 60_000 }, () => {
  const typed = programs.filter(({ language }) => language === 'ts');
  const files = typed.map((block) => {
    const file = join(folder, `${nameOf(block)}.mts`);
    // A module of its own, so that names do not collide.
    writeFileSync(file, `${sourceOf(block)}\nexport {};\n`);
    return file;
  });
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(folder, 'node_modules/@types')],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const block = typed[files.indexOf(file?.fileName ?? '')];
    const line = file?.getLineAndCharacterOfPosition(start).line;
    return `${block?.name ?? ''} ${String(line)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(files.length).toBeGreaterThan(5);
  expect(problems).toEqual([]);
});

describe('examples run against the mock', () => {
  test.concurrent.each(programs.map((block) => [block.name, block] as const))('%s', async (_, block) => {
    const extension = block.language === 'ts' ? 'mjs' : 'cjs';
    const file = join(folder, `${nameOf(block)}.${extension}`);
    const code =
      block.language === 'ts' ? (await transform(sourceOf(block), { loader: 'ts' })).code : block.code;
    writeFileSync(
      file,
      code
        .replaceAll("'petstore/domain'", "'./domain.mjs'")
        .replaceAll('"petstore/domain"', "'./domain.mjs'"),
    );
    const { failure, stdout, stderr } = await run(process.execPath, [file]);
    expect({ failure, stderr }).toMatchObject({ failure: null });
    const printed = [...block.code.matchAll(/ \/\/ prints ([^:\n]*)/g)].map(([, text]) => text);
    for (const text of printed) expect(stdout.split('\n')).toContain(text);
  });

  test.skipIf(!hasPython).each(pythonBlocks.map((block) => [block.name, block] as const))(
    '%s (needs python3)',
    async (_, { code }) => {
      const { failure, stdout, stderr } = await run('python3', ['-c', code]);
      expect({ failure, stderr }).toEqual({ failure: null, stderr: '' });
      expect(stdout).not.toBe('');
    },
  );
});

function nameOf({ page, line }: CodeBlock): string {
  return `${page.replaceAll(/\W/g, '-')}-${String(line)}`;
}

function sourceOf({ code }: CodeBlock): string {
  return /\bstore\b/.test(code) && !code.includes('const store =') ? STORE + code : code;
}

function run(
  command: string,
  args: readonly string[],
): Promise<{ failure: Error | null; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    PETSTORE_API_KEY: KEY,
    PETSTORE_BASE_URL: server.baseUrl,
    PETSTORE_STATE_DIR: join(folder, 'state'),
    // Nothing listens there: the gate continues in memory.
    REDIS_URL: 'redis://127.0.0.1:1',
    DNS_ADDRESS: `${server.dns!.host}:${String(server.dns!.port)}`,
    DNS_PORT: String(server.dns!.port),
  };
  return new Promise((resolve) =>
    execFile(command, args, { env, cwd: folder, timeout: 15_000 }, (failure, stdout, stderr) => {
      resolve({ failure, stdout, stderr });
    }),
  );
}
