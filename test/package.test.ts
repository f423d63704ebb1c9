import { execSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from './integration/programs.js';
import { requireBuild } from './support/built.js';
import { createDeclarationProgram, unexportedTypes } from './support/declared-types.js';
import { bundlePage } from '../build/bundle-page.js';
import { linksOf, readPage } from './support/pages.js';
import { IS_FULL } from './support/random-runs.js';
import { runResident } from './support/resident-cli.js';
import { ROOT } from './support/source-tree.js';
import { checkIfChanged } from './support/unchanged-inputs.js';
import { temporaryFolder } from './support/temporary-folder.js';

requireBuild();

/** The paths of the files in the package. */
let packed: string[];

beforeAll(async () => {
  packed = (IS_FULL ? undefined : await listedByNpm()) ?? packedByNpm();
});

function packedByNpm(): string[] {
  const command = 'npm pack --dry-run --json --ignore-scripts --loglevel=silent';
  const [{ files }] = JSON.parse(execSync(command, { cwd: ROOT, encoding: 'utf8' })) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
}

/** The same list from the part of npm that makes it, without the archive. `undefined` if this npm has no such part. */
async function listedByNpm(): Promise<string[] | undefined> {
  const npm = findProgram('npm');
  if (npm === undefined) return undefined;
  try {
    const requireOfNpm = createRequire(realpathSync(npm.path));
    const list = requireOfNpm('npm-packlist') as (tree: object) => Promise<string[]>;
    const manifest = JSON.parse(read('package.json')) as object;
    return await list({ path: ROOT, package: manifest, isProjectRoot: true, edgesOut: new Map() });
  } catch {
    return undefined;
  }
}

describe('the packed package', () => {
  test('contains the command, the build, the licences and the documentation, nothing else', () => {
    const expected =
      /^(package\.json|LICENSE|llms\.txt|[A-Z]+\.md|bench\/RESULTS\.md|(docs|examples)\/.*\.(md|svg|json|m?js)|bin\/petstore\.cjs|dist\/.*\.(js|cjs|d\.ts)|dist\/THIRD-PARTY-NOTICES|dist\/sbom\.cdx\.json|dist\/cli\/command-tree\.json|dist\/man\/man\d\/petstore.*\.\d)$/;
    expect(packed.filter((path) => !expected.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/petstore.cjs',
        'dist/cli/command-tree.json',
        'dist/THIRD-PARTY-NOTICES',
        'dist/bulk/index.d.ts',
        'dist/bulk/index.js',
        'dist/sbom.cdx.json',
        'dist/cli/main.cjs',
        'dist/cli/program.cjs',
        'dist/man/man1/petstore.1',
        'dist/index.d.ts',
        'dist/index.js',
        'docs/domain-report.schema.json',
        'docs/mock.md',
        'docs/petstore.config.schema.json',
        'dist/mock/index.d.ts',
        'dist/mock/index.js',
        'dist/mock/msw.d.ts',
        'dist/mock/msw.js',
        'package.json',
      ]),
    );
  });

  test('contains what its pages link to', () => {
    const pages = packed.filter((path) => path.endsWith('.md')).map(readPage);
    const dead = pages.flatMap((page) =>
      linksOf(page).flatMap((link) => {
        const target = normalize(join(dirname(page.path), link.replace(/#.*/, '')));
        return link.startsWith('#') || packed.includes(target) ? [] : [`${page.path}: ${link}`];
      }),
    );
    expect(pages.map(({ path }) => path)).toContain('README.md');
    expect(dead).toEqual([]);
  });

  // With --update, this writes package.json.
  test('names every manual page, because npm installs only those', async () => {
    const pages = packed.filter((path) => path.startsWith('dist/man/'));
    const man = pages.sort().map((path) => `./${path}`);
    const text = JSON.stringify({ ...(JSON.parse(read('package.json')) as object), man }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot(join(ROOT, 'package.json'));
  });

  test('contains no path of the machine that built it, and no source map', () => {
    const wrong = packed.filter((path) => {
      const text = read(path);
      return text.includes(ROOT) || /^\/\/# sourceMappingURL=/m.test(text);
    });
    expect(wrong).toEqual([]);
  });

  test('declares only the dependencies that it needs at run time', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'));
    expect(Object.keys(dependencies)).toEqual(['tldts', 'undici', 'zod']);
    expect(Object.keys(peerDependencies)).toEqual(['@redis/client', 'msw']);
    expect(peerDependenciesMeta).toEqual({ '@redis/client': { optional: true }, msw: { optional: true } });
  });
});

describe('the script `prepare`', () => {
  const INSTALLED = { 'node_modules/tsup/index.js': '' };
  /** Runs the script as npm does, in a package whose build makes an empty folder. */
  const prepare = (
    files: Record<string, unknown>,
    environment: (folder: string) => Record<string, string>,
  ) => {
    // Instead of npm, whose start takes half a second.
    const npm = '#!/bin/sh\n[ "$*" = "run build" ] && mkdir dist\n';
    const folder = temporaryFolder({ 'bin/npm': npm, ...files });
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const PATH = `${join(folder, 'bin')}:${process.env.PATH ?? ''}`;
    const env = { PATH, HOME: folder, ...environment(folder) };
    const script = join(ROOT, 'build/prepare.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, env, encoding: 'utf8' });
    return { status, stderr, isBuilt: existsSync(join(folder, 'dist')) };
  };

  test.each([
    ['npm install', 'install', false],
    ['npm pack', 'pack', true],
    ...(IS_FULL ? [['npm ci', 'ci', false] as const] : []),
  ] as const)('%s in a checkout without a build', (_, command, isBuilt) => {
    const prepared = prepare(INSTALLED, (folder) => ({ INIT_CWD: folder, npm_command: command }));
    expect(prepared).toMatchObject({ status: 0, isBuilt });
  });

  test('builds a dependency from git', () => {
    const prepared = prepare(INSTALLED, () => ({ INIT_CWD: ROOT, npm_command: 'install' }));
    expect(prepared).toMatchObject({ status: 0, isBuilt: true });
  });

  test('does not build again', () => {
    // The build would fail, because its folder exists.
    const prepared = prepare({ ...INSTALLED, 'dist/index.js': '' }, () => ({ npm_command: 'pack' }));
    expect(prepared).toMatchObject({ status: 0, stderr: '' });
  });

  test('says what to do if npm installed nothing in the clone', () => {
    expect(prepare({}, () => ({ npm_command: 'install' }))).toEqual({
      status: 1,
      stderr:
        'error: The packages for the build are not installed\n' +
        'hint: Install a tarball: in a checkout, run "npm ci && npm pack".\n',
      isBuilt: false,
    });
  });
});

describe('a checkout in which a step was left out', () => {
  test('npx starts the command, because a failure would stay in its cache', () => {
    const folder = temporaryFolder();
    const env = { INIT_CWD: folder, npm_command: 'exec' };
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'build/prepare.mjs')], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.each([
    [
      'the command',
      'bin/petstore.cjs',
      ['petstore is not built yet', 'In its checkout, run: npm ci && npm run build'],
    ],
    ['npm run build', 'build/start.mjs', ['The packages for the build are not installed', 'Run: npm ci']],
    ['npm test', 'test/run.mjs', ['The packages for the tests are not installed', 'Run: npm ci && npm test']],
  ])('%s says what to run', (_, script, [error, hint]) => {
    const files = [script, 'build/source-digest.mjs'];
    const folder = temporaryFolder(Object.fromEntries(files.map((path) => [path, read(path)])));
    const options = { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [script], options);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `error: ${error!}\nhint: ${hint!}\n` });
  });
});

test('the command prints the commit that was built, and null without a checkout', async () => {
  const { exitCode, stdout } = await runResident(['version', '--json']);
  const { commit } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  if (existsSync(join(ROOT, '.git'))) expect(commit).toMatch(/^[0-9a-f]{12,40}(-dirty)?$/);
  else expect(commit).toBeNull();
});

describe('THIRD-PARTY-NOTICES', () => {
  test('lists every bundled package with its licence', async () => {
    const { metafile } = await bundlePage();
    const ofPage = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    // The modules of each chunk, as the build lists them.
    const chunks = ['main', 'program'].map(
      (name) => JSON.parse(read(`dist/cli/modules.${name}.json`)) as Record<string, string[]>,
    );
    const paths = [
      ...ofPage.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
      ...chunks.flatMap((chunk) => Object.values(chunk).flat()),
    ];
    const notices = read('dist/THIRD-PARTY-NOTICES').split(/^-{80}\n/m);
    const folders = new Set(paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
    expect(folders.size).toBeGreaterThan(20);
    for (const folder of folders) {
      const { name, version, license } = JSON.parse(read(`${folder}/package.json`));
      const notice = notices.find((text) => text.startsWith(`${name} ${version} (${license})`));
      const text = name === '@redis/client' ? /no licence text/ : /permission|Mozilla Public License/i;
      expect(notice, name).toMatch(text);
    }
  });
});

describe('the software bill of materials', () => {
  const { metadata, components, dependencies } = JSON.parse(read('dist/sbom.cdx.json')) as {
    metadata: { component: { name: string; version: string; 'bom-ref': string } };
    components: { name: string; version: string; 'bom-ref': string; properties: { value: string }[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };

  test('names the package', () => {
    const { name, version } = JSON.parse(read('package.json'));
    expect(metadata.component).toMatchObject({ name, version, purl: `pkg:npm/${name}@${version}` });
  });

  test('lists the bundled packages of THIRD-PARTY-NOTICES', () => {
    const headings = read('dist/THIRD-PARTY-NOTICES').matchAll(/^-{80}\n(\S+ \S+) \(/gm);
    const bundled = components.filter(({ properties }) => properties[0]!.value === 'true');
    const names = bundled.map(({ name, version }) => `${name} ${version}`);
    expect(names.sort()).toEqual([...new Set([...headings].map(([, heading]) => heading))].sort());
  });

  test('lists the packages that npm installs', () => {
    const installed = components.filter(({ properties }) => properties[1]!.value === 'true');
    const names = installed.map(({ name }) => name).filter((name) => !name.startsWith('@napi-rs/'));
    expect(names).toEqual(['tldts', 'tldts-core', 'undici', 'zod']);
  });

  test('gives the dependencies of each package, by which all are reached', () => {
    const namesFrom = (name: string): string[] =>
      dependencies.flatMap(({ ref, dependsOn }) =>
        ref.startsWith(`${name}@`) ? dependsOn.map((each) => each.replace(/@[^@]*$/, '')) : [],
      );
    expect(namesFrom('tldts')).toEqual(['tldts-core']);
    expect(namesFrom('zod')).toEqual([]);
    expect(namesFrom(metadata.component.name)).toEqual(expect.arrayContaining(['tldts', 'undici', 'zod']));
    expect(namesFrom(metadata.component.name)).not.toContain('tldts-core');
    const reached = new Set([metadata.component['bom-ref']]);
    for (const from of reached) {
      const { dependsOn = [] } = dependencies.find(({ ref }) => ref === from) ?? {};
      for (const each of dependsOn) reached.add(each);
    }
    expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual(
      [],
    );
  });
});

describe('the imports of the built files', () => {
  test('only packages that the manifest declares; msw only in petstore/mock/msw', () => {
    expect(packagesOf(/^dist\/(?!cli\/|mock\/msw\.).*\.js$/)).toEqual([
      '@redis/client',
      'tldts',
      'undici',
      'zod',
    ]);
    expect(packagesOf(/^dist\/mock\/index\.js$/)).toEqual([]);
    expect(packagesOf(/^dist\/mock\/msw\.js$/)).toEqual(['msw']);
  });

  test('petstore/bulk loads neither an HTTP client nor zod, and does nothing when it is imported', async () => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: ['dist/bulk/index.js'],
      outdir: 'unused',
      packages: 'external',
      bundle: true,
      format: 'esm',
      metafile: true,
      platform: 'node',
      write: false,
    });
    const loaded = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
    const packages = loaded.filter(({ external }) => external).map(({ path }) => path);
    expect(packages.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))).toEqual(
      [],
    );
    const script = `await import('./dist/bulk/index.js');
      console.log(process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|DNS|UDP|FS/i.test(name)).length);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {},
    });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });

  test('the command line bundles the packages that it needs at the start', () => {
    expect(packagesOf(/^dist\/cli\/.*\.cjs$/)).toEqual([
      '@napi-rs/keyring',
      '@node-rs/xxhash', // @redis/client uses it if it is installed.
      // Text in the code that ajv can generate; conf brings ajv along.
      'ajv-formats/dist/formats',
      'ajv/dist/runtime/equal',
      'ajv/dist/runtime/ucs2length',
      'ajv/dist/runtime/uri',
      'ajv/dist/runtime/validation_error',
      'undici', // Imports use it; the single executable sends them with node:http.
    ]);
  });

  test('the command line has no import(), which the single executable lacks', () => {
    const paths = packed.filter((path) => /^dist\/cli\/.*\.cjs$/.test(path));
    expect(paths.filter((path) => /\bimport\(/.test(read(path)))).toEqual([]);
  });

  test('the declarations import zod for the schemas and msw for its handlers', () => {
    expect(packagesOf(/^dist\/(?!mock\/).*\.d\.ts$/)).toEqual(['zod']);
    expect(packagesOf(/^dist\/mock\/index\.d\.ts$/)).toEqual([]);
    expect(packagesOf(/^dist\/mock\/msw\.d\.ts$/)).toEqual(['msw']);
  });

  test('each entry point exports every type that its declarations mention', { timeout: 120_000 }, () =>
    checkIfChanged('exported-types', ['test/package.test.ts', 'test/support/declared-types.ts'], () => {
      const names = ['index', 'bulk/index', 'domain/index', 'mock/index', 'mock/msw'];
      const paths = names.map((name) => `dist/${name}.d.ts`);
      const program = createDeclarationProgram(paths);
      const missing = paths.flatMap((path) =>
        unexportedTypes(program, path).map((mention) => `${path} ${mention}`),
      );
      // A program that has a client or a mock imports its types from `petstore` or `petstore/mock`.
      expect(missing).toEqual([
        'dist/bulk/index.d.ts ExportOptions: PetStatus',
        'dist/bulk/index.d.ts PetSource: NewPet',
        'dist/bulk/index.d.ts RowPet: NewPet',
        'dist/bulk/index.d.ts exportPets: PetStore',
        'dist/bulk/index.d.ts importPets: PetStore',
        'dist/mock/msw.d.ts handlers: Mock',
      ]);
    }),
  );
});

/** The packages that the built files of these paths import or require, sorted, without Node's own modules. */
function packagesOf(paths: RegExp): string[] {
  const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(["'])((?!\.)[@\w][\w./:@-]*)\1/g;
  const names = packed
    .filter((path) => paths.test(path))
    .flatMap((path) => [...read(path).matchAll(specifier)].map((match) => match[2]!))
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  return [...new Set(names)].sort();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
