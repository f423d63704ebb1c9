import { statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type ts from 'typescript';
import {
  createProgram,
  deadExports,
  filesBelow,
  importsOf,
  publicNames,
  readSource,
  ROOT,
} from './support/source-tree.js';

const files = filesBelow();
const sources = files.filter((path) => /^src\/.*\.ts$/.test(path));

/** The doors: what programs import, and what the command's shim runs. */
const DOORS = [
  'src/index.ts',
  'src/domain/index.ts',
  'src/mock/index.ts',
  'src/mock/msw.ts',
  'src/cli/startup/main.ts',
  'src/cli/startup/keychain-main.ts',
];

/** Which layer may import which, entering by its index.ts. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  client: [],
  domain: [],
  mock: [],
  bulk: ['client'],
  cli: ['bulk', 'client', 'domain', 'mock'],
};
/** What every layer may import, file by file. */
const OPEN_TO_ALL = /^src\/(schema\/.*|errors\.ts|plain-file\.ts|version\.ts)$/;

/** Packages that only some files may import. `import type` counts as well here; the linter tells the two apart. */
const PACKAGE_OWNERS: Readonly<Record<string, RegExp>> = {
  '@redis/client': /^src\/client\/gate\/redis\/connection\.ts$/,
  commander: /^src\/cli\//,
  'dns-packet': /^src\/domain\/resolver\//,
  msw: /^src\/mock\/msw\.ts$/,
  tldts: /^src\/domain\//,
  // The command line makes its proxy agent.
  undici: /^src\/(client\/|cli\/system\/process-context\.ts$)/,
};

describe('imports', () => {
  test('run one way, and enter a layer by its door', () => {
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((target) => target.startsWith('src/') && !mayImport(path, target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('make no cycle', () => {
    expect(firstCycle()).toBeUndefined();
  });

  test('of packages with an owner stay with it', () => {
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((name) => PACKAGE_OWNERS[name]?.test(path) === false)
        .map((name) => `${path} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('exports', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = createProgram();
  });

  // After a change on purpose: npx vitest run test/tidy.test.ts --update
  test('of the doors are the pinned ones', async () => {
    const doors = ['src/index.ts', 'src/mock/index.ts', 'src/mock/msw.ts'];
    const text = doors.map((door) =>
      [door, ...publicNames(program, door).map((name) => `  ${name}`), ''].join('\n'),
    );
    await expect(text.join('\n')).toMatchFileSnapshot('public-names.txt');
  });

  test('of all other files are used by another one', () => {
    expect(deadExports(program, DOORS)).toEqual([]);
  }, 60_000);
});

describe('files', () => {
  test('lie in no drawer', () => {
    const drawer = /(^|\/)(utils?|helpers?|common|misc|lib|types)(\/|\.[a-z.]+$)/;
    expect(files.filter((path) => drawer.test(path))).toEqual([]);
  });

  test('hold no notes to self and no paths of a machine', () => {
    // Besides the checkout itself, its neighbours: the folder it lies in, unless that is where everything temporary lies.
    const places = [ROOT, dirname(ROOT), homedir()].filter((place) => place !== '/' && place !== tmpdir());
    const notes = /\b(TO[D]O|FIX[M]E|XX[X])\b/;
    const wrong = files.filter((path) => {
      const text = readSource(path);
      return notes.test(text) || places.some((place) => text.includes(`${place}/`));
    });
    expect(wrong).toEqual([]);
  });

  test('the lockfile names no registry', () => {
    expect(readSource('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });

  test.skipIf(process.platform === 'win32')('the command is executable', () => {
    expect(statSync(join(ROOT, 'bin/petstore.cjs')).mode & 0o111).toBe(0o111);
  });
});

function mayImport(path: string, target: string): boolean {
  if (OPEN_TO_ALL.test(target)) return !path.startsWith('src/schema/') || target.startsWith('src/schema/');
  const [layer, targetLayer] = [layerOf(path), layerOf(target)];
  // The door of the package names what layers offer, and nothing imports it.
  if (path === 'src/index.ts') return targetLayer === 'client' && target === 'src/client/index.ts';
  if (layer === undefined || targetLayer === undefined) return false;
  if (layer === targetLayer) return target !== `src/${layer}/index.ts` || path === 'src/mock/msw.ts';
  return LAYERS[layer]?.includes(targetLayer) === true && target === `src/${targetLayer}/index.ts`;
}

function layerOf(path: string): string | undefined {
  return /^src\/([a-z-]+)\//.exec(path)?.[1];
}

/** The files of one import cycle, in order; dynamic imports count. */
function firstCycle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const target of importsOf(path).filter((name) => sources.includes(name))) {
      const cycle = visit(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of sources) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
