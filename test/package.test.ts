import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './support/source-tree.js';

/** What the package holds, by `npm pack`, which reads no network for it. */
let packed: { files: { path: string; mode: number }[] };

beforeAll(() => {
  const [first] = JSON.parse(
    execSync('npm pack --dry-run --json --ignore-scripts --loglevel=silent', { cwd: ROOT, encoding: 'utf8' }),
  );
  packed = first;
});

describe('the packed package', () => {
  test('holds the command, the build and its papers, nothing else', () => {
    const expected =
      /^(package\.json|README\.md|LICENSE|bin\/petstore\.cjs|docs\/petstore\.config\.schema\.json|dist\/.*\.(js|cjs|d\.ts)|dist\/cli\/command-tree\.json|dist\/man\/man\d\/petstore.*\.\d)$/;
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !expected.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/petstore.cjs',
        'dist/cli/command-tree.json',
        'dist/cli/main.cjs',
        'dist/man/man1/petstore.1',
        'dist/index.d.ts',
        'dist/index.js',
        'docs/petstore.config.schema.json',
        'dist/mock/index.d.ts',
        'dist/mock/index.js',
        'dist/mock/msw.d.ts',
        'dist/mock/msw.js',
        'package.json',
      ]),
    );
  });

  test('names no place of the machine that built it, and holds no source map', () => {
    const wrong = packed.files
      .map(({ path }) => path)
      .filter((path) => {
        const text = read(path);
        return text.includes(ROOT) || /^\/\/# sourceMappingURL=/m.test(text);
      });
    expect(wrong).toEqual([]);
  });

  test('declares in its manifest no more than it needs at run time', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'));
    expect(Object.keys(dependencies)).toEqual(['dns-packet', 'tldts', 'undici', 'zod']);
    expect(Object.keys(peerDependencies)).toEqual(['@redis/client', 'msw']);
    expect(peerDependenciesMeta).toEqual({ '@redis/client': { optional: true }, msw: { optional: true } });
  });
});

describe('what the built files import', () => {
  test('of packages: no more than the manifest declares, msw behind its own door', () => {
    expect(packagesOf(/^dist\/(?!cli\/|mock\/msw\.).*\.js$/)).toEqual([
      '@redis/client',
      'dns-packet',
      'tldts',
      'undici',
      'zod',
    ]);
    expect(packagesOf(/^dist\/mock\/index\.js$/)).toEqual([]);
    expect(packagesOf(/^dist\/mock\/msw\.js$/)).toEqual(['msw']);
  });

  test('the command line brings all its packages along, but for undici, which it loads behind a proxy, and the native one', () => {
    expect(packagesOf(/^dist\/cli\/.*\.cjs$/)).toEqual(['@napi-rs/keyring', 'undici']);
  });

  test('the declarations name undici for the dispatcher, zod for the schemas and msw for its handlers', () => {
    expect(packagesOf(/^dist\/(?!mock\/).*\.d\.ts$/)).toEqual(['undici', 'zod']);
    expect(packagesOf(/^dist\/mock\/index\.d\.ts$/)).toEqual([]);
    expect(packagesOf(/^dist\/mock\/msw\.d\.ts$/)).toEqual(['msw']);
  });

  test('of undici the declarations name the dispatcher alone', () => {
    const text = packed.files.map(({ path }) => (path.endsWith('.d.ts') ? read(path) : '')).join('\n');
    const imports = [...text.matchAll(/^import (.*) from 'undici'/gm)].map((match) => match[1]);
    expect(new Set(imports)).toEqual(new Set(['{ Dispatcher }']));
  });
});

/** The packages, sorted, that the built files of these paths import or require; Node's own modules left out. */
function packagesOf(paths: RegExp): string[] {
  const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(["'])((?!\.)[@\w][\w./:@-]*)\1/g;
  const names = packed.files
    .filter(({ path }) => paths.test(path))
    .flatMap(({ path }) => [...read(path).matchAll(specifier)].map((match) => match[2]!))
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  return [...new Set(names)].sort();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
