import { execFile, type ExecFileException, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { createMock, type MockServer } from '../../src/mock/index.js';
import { requireBuild } from '../support/built.js';
import { codeBlocksOf, readPages, type CodeBlock } from '../support/pages.js';
import { IS_FULL } from '../support/random-runs.js';
import { ROOT } from '../support/source-tree.js';
import { checkIfChanged } from '../support/unchanged-inputs.js';

requireBuild();

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

/**
 * Runs all blocks in one process, because loading the library takes longer than a block. It must end by itself: no block
 * leaves a timer or a socket behind.
 */
const ALL = `import { writeFileSync } from 'node:fs';
const results = {};
for (const [name, file] of JSON.parse(process.argv[2])) {
  const result = (results[name] = { stdout: '' });
  process.stdout.write = (text) => Boolean((result.stdout += text));
  await import('./' + file).catch((error) => (result.failure = error.stack));
}
process.once('exit', () => writeFileSync('results.json', JSON.stringify(results)));
`;

const blocks = readPages()
  .flatMap(codeBlocksOf)
  .map((block) => ({ ...block, name: `${block.page}:${String(block.line)}` }));
// A CommonJS block can't wait for its promises, so these are last.
const programs = ['ts', 'js'].flatMap((each) => blocks.filter(({ language }) => language === each));
const pythonBlocks = blocks.filter(({ language }) => language === 'python');
const hasPython = spawnSync('python3', ['--version']).status === 0;

let folder: string;
let server: MockServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
  writeFileSync(join(folder, 'domain.mjs'), DOMAIN);
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/petstore'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(ROOT, 'bin/petstore.cjs'), join(folder, 'bin/petstore'));
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

test('TypeScript examples type-check', { timeout: 120_000 }, () => {
  const typed = programs.filter(({ language }) => language === 'ts');
  const pages = [...new Set(typed.map(({ page }) => page)), 'test/docs/code-blocks.test.ts'];
  return checkIfChanged('typed-examples', pages, () => checkTypes(typed));
});

function checkTypes(typed: readonly (CodeBlock & { name: string })[]): void {
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
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
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
}

test.each(blocks.filter(({ language }) => language === 'yaml').map(({ name, code }) => [name, code]))(
  '%s is YAML',
  (_, code = '') => {
    const { errors, warnings } = parseDocument(code, { version: '1.2', strict: true });
    expect([...errors, ...warnings]).toEqual([]);
  },
);

describe('examples run against the mock', () => {
  let results: Record<string, { stdout: string; failure?: string }>;

  beforeAll(async () => {
    const files = await Promise.all(programs.map(async (block) => [block.name, await writeProgram(block)]));
    writeFileSync(join(folder, 'all.mjs'), ALL);
    const { failure, stderr } = await run(process.execPath, ['all.mjs', JSON.stringify(files)]);
    expect({ failure, stderr }).toMatchObject({ failure: null });
    results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  }, 120_000);

  test.each(programs.map((block) => [block.name, block.code] as const))('%s', (name, code) => {
    const { failure, stdout } = results[name]!;
    expect(failure).toBeUndefined();
    const printed = [...code.matchAll(/ \/\/ prints ([^:\n]*)/g)].map(([, text]) => text);
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

/** The lines of the two pipelines that import a file. `RESUME` is the choice of the person who starts the job. */
const PIPELINES = blocks
  .filter(({ page, language }) => page === 'docs/ci.md' && language === 'yaml')
  .map(({ name, code }) => {
    const lines = code.match(/(?<=- (?:run: )?)petstore pets import .*/g) ?? [];
    return [name, lines.join('\n').replace(/\$\{\{.*?\}\}/, '$RESUME')] as const;
  });

describe.skipIf(process.platform === 'win32')('in bash, where each failure ends the script', () => {
  const bash = (script: string, env: NodeJS.ProcessEnv = {}) =>
    run('bash', ['--norc', '-euo', 'pipefail', '-c', script], env);
  const shellBlocks = blocks.filter(({ page, language }) => page === 'docs/ci.md' && language === 'sh');

  test.each(shellBlocks.map(({ name, code }) => [name, code]))('%s', async (_, code = '') => {
    const { failure, stdout } = await bash(code);
    expect(failure).toBeNull();
    expect(stdout).not.toContain('exit code');
  });

  test('finds both pipelines', () => {
    expect(PIPELINES.filter(([, script]) => script.includes('$RESUME'))).toHaveLength(2);
  });

  test.runIf(IS_FULL).each(PIPELINES)(
    '%s imports a file once, and continues after a stop (PETSTORE_TEST_FULL=1)',
    async (_, script) => {
      const file = join(folder, 'delivery.csv');
      for (const name of [file, `${file}.journal`]) rmSync(name, { force: true });
      writeFileSync(file, 'name,category\nRex,7\nMia,2\n');
      const job = async (RESUME: string, env: NodeJS.ProcessEnv = {}) => {
        const { failure } = await bash(script, { RESUME, ...env });
        const summary = readFileSync(join(folder, 'summary.json'), 'utf8');
        return { code: failure?.code ?? 0, ...(summary === '' ? {} : (JSON.parse(summary) as object)) };
      };
      // The page says that the first is an error, and that the job is run again after exit code 7.
      expect(await job('--resume')).toMatchObject({ code: 2 });
      const down = { PETSTORE_BASE_URL: 'http://127.0.0.1:1/v1' };
      expect(await job('', down)).toMatchObject({ code: 7, created: 0, left: 2 });
      expect(await job('--resume')).toMatchObject({ code: 0, created: 2 });
      for (const resume of ['--resume', ''])
        expect(await job(resume)).toMatchObject({ code: 0, created: 0, alreadyDone: 2 });
    },
  );
});

/** Writes a block as JavaScript. @returns the name of its file. */
async function writeProgram(block: CodeBlock): Promise<string> {
  const isTypeScript = block.language === 'ts';
  const code = isTypeScript ? (await transform(sourceOf(block), { loader: 'ts' })).code : block.code;
  const file = `${nameOf(block)}.${isTypeScript ? 'mjs' : 'cjs'}`;
  writeFileSync(join(folder, file), code.replaceAll(/(['"])petstore\/domain\1/g, "'./domain.mjs'"));
  return file;
}

function nameOf({ page, line }: CodeBlock): string {
  return `${page.replaceAll(/\W/g, '-')}-${String(line)}`;
}

function sourceOf({ code }: CodeBlock): string {
  return /\bstore\b/.test(code) && !code.includes('const store =') ? STORE + code : code;
}

function run(
  command: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ failure: ExecFileException | null; stdout: string; stderr: string }> {
  const env = {
    PATH: `${folder}/bin:${process.env.PATH ?? ''}`,
    PETSTORE_API_KEY: KEY,
    PETSTORE_BASE_URL: server.baseUrl,
    PETSTORE_STATE_DIR: join(folder, 'state'),
    // Nothing listens there: the gate continues in memory.
    REDIS_URL: 'redis://127.0.0.1:1',
    DNS_ADDRESS: `${server.dns!.host}:${String(server.dns!.port)}`,
    DNS_PORT: String(server.dns!.port),
    ...more,
  };
  return new Promise((resolve) =>
    execFile(command, args, { env, cwd: folder, timeout: 100_000 }, (failure, stdout, stderr) => {
      resolve({ failure, stdout, stderr });
    }),
  );
}
