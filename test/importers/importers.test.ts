import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);

/** Every minor release, from the oldest that reads the declarations to the newest. */
const TYPESCRIPT = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'];
const NODES = [process.execPath, ...(process.env.PETSTORE_TEST_NODES ?? '').split(delimiter)].filter(
  (path) => path !== '',
);
/** The system that the binaries of Deno and Bun are for. */
const IS_BINARY_SYSTEM = process.platform === 'linux' && process.arch === 'x64';
const LISTED = '[{"id":9007199254740993,"name":"Rex","categoryId":7}]';

/** An importer with nothing optional, and one with the optional packages and with tools. */
const PROJECTS = {
  minimal: {},
  full: {
    dependencies: {
      '@cyclonedx/cyclonedx-library': '^10',
      '@redis/client': '^6',
      '@rollup/plugin-commonjs': '^29',
      '@rollup/plugin-node-resolve': '^16',
      '@types/bun': '^1.4',
      '@types/node': '^20',
      // Required by the validator of @cyclonedx/cyclonedx-library.
      ajv: '^8',
      'ajv-formats': '^3',
      'ajv-formats-draft2019': '^1',
      msw: '^2',
      rollup: '^4',
      vite: '^8',
      webpack: '^5',
      ...Object.fromEntries(TYPESCRIPT.map((version) => [`ts-${version}`, `npm:typescript@${version}`])),
    },
    // npm leaves them out on other systems.
    optionalDependencies: { '@deno/linux-x64-glibc': '^2', '@oven/bun-linux-x64-baseline': '^1' },
  },
};

const root = mkdtempSync(join(tmpdir(), 'petstore-importers-'));
const minimal = join(root, 'minimal');
const full = join(root, 'full');
const service = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(LISTED);
});
let baseUrl: string;

// Installs packages from npm, so only `.ci/run` asks for it.
describe.skipIf(!process.env.PETSTORE_TEST_PACKAGES)('importers (PETSTORE_TEST_PACKAGES is set)', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${String((service.address() as { port: number }).port)}/v1`;
    const { stdout } = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', root);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await install(minimal, PROJECTS.minimal, filename, '--omit=optional', '--omit=dev');
    await install(full, PROJECTS.full, filename);
  }, 600_000);
  afterAll(() => {
    service.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('the package installs with nothing missing and nothing superfluous', { timeout: 60_000 }, async () => {
    await npm(minimal, 'ls', '--all', '--omit=optional');
    await npm(full, 'ls', '--all');
    expect(existsSync(join(minimal, 'node_modules/@napi-rs'))).toBe(false);
    expect(existsSync(join(full, 'node_modules/@napi-rs/keyring'))).toBe(true);
  });

  test('the bill of materials is valid CycloneDX', { timeout: 60_000 }, async () => {
    const file = 'node_modules/petstore/dist/sbom.cdx.json';
    expect(await output(full, process.execPath, ['validate-sbom.mjs', file])).toBe('null');
    const invalid = readFileSync(join(full, file), 'utf8').replace('"purl"', '"pearl"');
    writeFileSync(join(full, 'invalid.cdx.json'), invalid);
    expect(await output(full, process.execPath, ['validate-sbom.mjs', 'invalid.cdx.json'])).toContain(
      'pearl',
    );
  });

  test.each(NODES)('%s runs an ES module, a CommonJS program and the command', async (node) => {
    for (const folder of [minimal, full]) {
      expect(await output(folder, node, ['program.mjs'])).toBe(LISTED);
      expect(await output(folder, node, ['--no-warnings', 'program.cjs'])).toBe('1 function');
      const list = ['node_modules/petstore/bin/petstore.cjs', 'pets', 'list', '--mock', '--limit=1'];
      expect(await output(folder, node, list)).toMatch(/^1\t/);
    }
  });

  describe.each([
    ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--no-prompt', '-A', '--node-modules-dir=manual']],
    ['Bun', '@oven/bun-linux-x64-baseline/bin/bun', []],
  ])('%s', (_, binary, args) => {
    test.for([
      ['program.mjs', {}, LISTED],
      ['program.mjs', { WITH_FETCH: '1' }, LISTED],
      ['program.cjs', {}, '1 function'],
    ] as const)('runs %s %j', { timeout: 60_000 }, async ([program, env, expected], context) => {
      const command = join(full, 'node_modules', binary);
      const isInstalled = existsSync(command);
      context.skip(!isInstalled && !IS_BINARY_SYSTEM, 'the binary is only for Linux on x64');
      expect(isInstalled, command).toBe(true);
      expect(await output(minimal, command, [...args, program], env)).toBe(expected);
    });
  });

  describe.concurrent('TypeScript', () => {
    test.each([
      ['5.4', 'nodenext', []],
      ['5.5', 'node16', []],
      ['5.6', 'bundler', []],
      ['5.7', 'nodenext', []],
      ['5.8', 'node16', []],
      ['5.9', 'bundler', []],
      ['6.0', 'nodenext', []],
      ['7.0', 'node16', []],
      ['7.0', 'bundler', []],
      // The declarations of msw need those of the DOM.
      ['7.0', 'nodenext', ['dom', 'dom.iterable']],
    ])('%s compiles a program (%s) %j', { timeout: 300_000 }, async (version, resolution, lib) => {
      const options = {
        exactOptionalPropertyTypes: true,
        lib: ['es2022', 'esnext.disposable', ...lib],
        module: resolution === 'bundler' ? 'esnext' : resolution,
        moduleResolution: resolution,
        noEmit: true,
        skipLibCheck: false,
        strict: true,
        target: 'es2022',
        types: ['node'],
      };
      const files = ['consumer.mts', 'names.mts', ...(lib.length === 0 ? [] : ['msw.mts'])];
      await compile(version, `tsconfig-${version}-${resolution}-${String(lib.length)}.json`, options, files);
    });

    test.each(['5.9', '6.0', '7.0'])(
      '%s compiles each fetch with @types/bun',
      { timeout: 300_000 },
      async (version) => {
        // As `bun init` writes it.
        const options = {
          lib: ['esnext'],
          module: 'preserve',
          moduleResolution: 'bundler',
          noEmit: true,
          skipLibCheck: true,
          strict: true,
          target: 'esnext',
          types: ['bun'],
          verbatimModuleSyntax: true,
        };
        await compile(version, `tsconfig-${version}-bun.json`, options, ['bun.mts']);
      },
    );
  });

  describe.each(['webpack', 'vite', 'rollup'])('%s', (bundler) => {
    test.each([
      ['node', {}],
      ['web', { WITH_FETCH: '1' }],
    ])('bundles a program for %s', { timeout: 300_000 }, async (target, env) => {
      const name = `${bundler}-${target}`;
      const warnings = await output(full, process.execPath, ['bundle.mjs', name, minimal]);
      // Only redisGate needs the package, and reports it.
      for (const line of warnings.split('\n')) expect(line).toMatch(/^$|@redis\/client|redis-budget-store/);
      const folder = join(root, name);
      renameSync(join(minimal, 'out', name), folder);
      // No package is found next to the bundle.
      expect(
        await output(folder, process.execPath, [`program.${name === 'webpack-node' ? 'cjs' : 'mjs'}`], env),
      ).toBe(LISTED);
    });
  });
});

// npm installs the packages of the build, so only `.ci/run` asks for it.
const isHere = Boolean(process.env.PETSTORE_TEST_PACKAGES) && existsSync(join(ROOT, '.git'));

test.skipIf(!isHere)(
  'npm builds a dependency from git (PETSTORE_TEST_PACKAGES is set, and this is a clone)',
  async () => {
    const cwd = temporaryFolder({ 'package.json': { name: 'importer', private: true } });
    const address = `git+${pathToFileURL(ROOT).href}`;
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['install', address, ...flags], { cwd });
    const script =
      "console.log(typeof require('petstore').createPetStore, typeof require('petstore/mock').createMock)";
    expect((await run(process.execPath, ['-e', script], { cwd })).stdout).toBe('function function\n');
    const command = join(cwd, 'node_modules/.bin/petstore');
    expect((await run(command, ['pets', 'list', '--mock', '--limit', '1', '--quiet'])).stdout).toMatch(
      /^1\t/,
    );
    expect(existsSync(join(cwd, 'node_modules/petstore/dist/index.d.ts'))).toBe(true);
  },
  300_000,
);

async function compile(version: string, file: string, options: object, files: string[]): Promise<void> {
  writeFileSync(join(full, file), JSON.stringify({ compilerOptions: options, files }));
  const compiler = [`node_modules/ts-${version}/bin/tsc`, '-p', file];
  expect(await run(process.execPath, compiler, { cwd: full }).catch((error: unknown) => error)).toEqual({
    stdout: '',
    stderr: '',
  });
}

async function install(folder: string, project: object, tarball: string, ...flags: string[]): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...project }));
  writeFileSync(join(folder, 'names.mts'), importsOfAllNames());
  for (const name of [
    'bun.mts',
    'bundle.mjs',
    'consumer.mts',
    'msw.mts',
    'program.cjs',
    'program.mjs',
    'validate-sbom.mjs',
  ])
    copyFileSync(join(ROOT, 'test/importers', name), join(folder, name));
  await npm(folder, 'install', '--prefer-offline', ...flags, `../${tarball}`);
}

/** Exports of every public name: they compile only if the package has all of them. */
function importsOfAllNames(): string {
  const report = readFileSync(join(ROOT, 'test/public-api.txt'), 'utf8');
  const [, ...sections] = report.split(/^\/\/ src\/(.*?)(?:index|\/public)?\.ts\n/m);
  const lines: string[] = [];
  for (let index = 0; index < sections.length; index += 2) {
    const path = `petstore/${sections[index]!}`.replace(/\/$/, '');
    const declared = /^export (?:declare )?(?:abstract )?(class|const|function|interface|type) (\w+)/gm;
    const names = [...sections[index + 1]!.matchAll(declared)].map(([, kind = '', name = '']) => {
      const isType = kind === 'interface' || kind === 'type';
      return `${isType ? 'type ' : ''}${name} as ${name}${String(index)}`;
    });
    if (!path.endsWith('/msw')) lines.push(`export { ${[...new Set(names)].join(', ')} } from '${path}';\n`);
  }
  return lines.join('');
}

async function output(cwd: string, command: string, args: readonly string[], env = {}): Promise<string> {
  const { stdout, stderr } = await run(command, args, {
    cwd,
    timeout: 120_000,
    env: { PATH: process.env.PATH, HOME: root, BASE_URL: baseUrl, ...env },
  });
  expect(stderr).toBe('');
  return stdout.trimEnd();
}

function npm(cwd: string, ...args: string[]): Promise<{ stdout: string }> {
  return run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
}
