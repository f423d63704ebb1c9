import { statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import layers from './support/layers.json' with { type: 'json' };
import { apiReport } from './support/api-report.js';
import { importsOf } from './support/imports-of.js';
import { filesBelow, readSource, ROOT } from './support/source-tree.js';
import { checkIfChanged } from './support/unchanged-inputs.js';

const files = filesBelow();
const sources = files.filter((path) => /^src\/.*\.c?ts$/.test(path));
const imports = new Map(
  sources.map((path) => [path, importsOf(path).filter((target) => target.startsWith('src/'))]),
);

/** Each layer with the layers that it may import from their internal.ts, or from index.ts without one. The linter uses the same table. */
const LAYERS: Readonly<Record<string, readonly string[]>> = layers;
const OPEN_TO_ALL =
  /^src\/(schema\/.*|options\/.*|security\/.*|time\/.*|errors\.ts|error-fields\.ts|foreign-error\.ts|node-module\.ts|version\.ts)$/;

const FILES_IN_FOLDER_MAX = 16;

/** Words with a plainer equivalent (CONTRIBUTING.md, "Language"). Each was common here once. */
const BANNED_WORDS =
  /\b(told|untold|mend(s|ed|ing)?|whoever|whom|nobody|under way|in force|goes on|looks-right|hopeless|animals?)\b/i;

describe('imports', () => {
  test('run in one direction between layers, through internal.ts or index.ts', () => {
    const wrong = sources.flatMap((path) =>
      importsFrom(path)
        .filter((target) => !mayImport(path, target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('make no circle between files', () => {
    expect(findCircle(sources, importsFrom)).toBeUndefined();
  });

  test.each(foldersOf(sources))('make no circle between the entries of %s', (folder) => {
    const entries = new Map<string, Set<string>>();
    for (const path of sources) {
      const entry = entryIn(folder, path);
      if (entry === undefined) continue;
      const targets = importsFrom(path).map((target) => entryIn(folder, target));
      const known = entries.get(entry) ?? new Set();
      entries.set(entry, known);
      for (const target of targets) if (target !== undefined && target !== entry) known.add(target);
    }
    expect(findCircle([...entries.keys()], (entry) => [...(entries.get(entry) ?? [])])).toBeUndefined();
  });

  // Every layer may import the files of `src` itself, and `src/index.ts` exports the client.
  test.each(foldersOf(sources).filter((folder) => folder.split('/').length > 2))(
    'run in one direction between %s and the files of the folder above',
    (folder) => {
      const isInside = (path: string): boolean => path.startsWith(`${folder}/`);
      const isAbove = (path: string): boolean => dirname(path) === dirname(folder);
      const count = (from: (path: string) => boolean, to: (path: string) => boolean): number =>
        sources.filter(from).flatMap(importsFrom).filter(to).length;
      expect(Math.min(count(isAbove, isInside), count(isInside, isAbove))).toBe(0);
    },
  );
});

test('ARCHITECTURE.md names files and exports that exist', () => {
  const rows = readSource('ARCHITECTURE.md').matchAll(/^\|[^|]*\|([^|]*)\|([^|]*)\|$/gm);
  const [, , ...table] = [...rows].map(([, names = '', places = '']) => ({
    names: codeOf(names),
    paths: codeOf(places).filter((place) => !place.includes('<')),
  }));
  expect(table.length).toBeGreaterThan(9);
  const text = sources.map(readSource).join('\n');
  const missing = table.flatMap(({ names, paths }) => [
    ...names.filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(text)),
    ...paths.filter((place) => !sources.some((path) => path.startsWith(`src/${place}`))),
  ]);
  expect(missing).toEqual([]);
});

// To accept an intended change: npx vitest run test/tidy.test.ts --update
test('the public names and signatures are those of the API report', { timeout: 60_000 }, () => {
  const entryPoints = ['index', 'bulk/index', 'domain/index', 'mock/index', 'mock/msw'].map(
    (name) => `src/${name}.ts`,
  );
  return checkIfChanged('public-api', ['test/public-api.txt', 'test/support/api-report.ts'], () =>
    expect(apiReport(entryPoints)).toMatchFileSnapshot('public-api.txt'),
  );
});

/** Code that changes files under a lock. `bulk/whole-file.ts` writes files of the user, without a lock. */
const LOCKED_CODE =
  /^src\/(bulk\/(?!whole-file\.ts)|cli\/commands\/(auth\/|mock\/data-file\.ts)|cli\/settings\/(config|credentials)\/)/;
/** The functions of node:fs that only read. */
const READING =
  /^(type |constants$|createReadStream$|existsSync$|fstat|lstat|readdir|readFile|realpath|stat(Sync)?$)/;

test('files under a lock are changed by LockedFiles only, which asks for the lock first', () => {
  const wrong = sources
    .filter((path) => LOCKED_CODE.test(path))
    .flatMap((path) => {
      const text = readSource(path);
      const named = [
        ...text.matchAll(/import (type )?\{([^}]*)\} from '(node:fs(?:\/promises)?|.*safe-file\.js)'/g),
      ];
      const names = named.flatMap(([, type, list = '', module = '']) =>
        type !== undefined
          ? []
          : list.split(',').flatMap((name) => {
              const isAllowed = module.startsWith('node:')
                ? READING.test(name.trim())
                : !/^(replace|write|remove)/.test(name.trim());
              return isAllowed || name.trim() === '' ? [] : [name.trim()];
            }),
      );
      const others = text.match(
        /import (?!type)(\w+|\* as \w+)[^']*'node:fs[^']*'|(nodeModule|getBuiltinModule|require|import)\('node:fs[^']*'\)/g,
      );
      return [...names, ...(others ?? [])].map((name) => `${path}: ${name}`);
    });
  expect(wrong).toEqual([]);
});

describe('files', () => {
  test.each(foldersOf(sources))(`number at most ${String(FILES_IN_FOLDER_MAX)} in %s`, (folder) => {
    const direct = sources.filter((path) => dirname(path) === folder);
    expect(direct.length).toBeLessThanOrEqual(FILES_IN_FOLDER_MAX);
  });

  test('have a name once in a layer', () => {
    const nameOf = (path: string): string => `${layerOf(path) ?? path}: ${basename(path)}`;
    const twice = sources.filter((path, index) => sources.map(nameOf).indexOf(nameOf(path)) !== index);
    expect(twice).toEqual([]);
  });

  test('export a name once in a layer', () => {
    const exported = sources.flatMap((path) => {
      const names = readSource(path).matchAll(
        /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
      );
      // Overloads of a function are in one file.
      return [...new Set([...names].map(([, name = '']) => `${layerOf(path) ?? path}: ${name}`))];
    });
    expect(exported.filter((name, index) => exported.indexOf(name) !== index)).toEqual([]);
  });

  test('are in folders named by purpose', () => {
    const catchAll = /(^|\/)(utils?|helpers?|common|misc|lib|types)(\/|\.[a-z.]+$)/;
    expect(files.filter((path) => catchAll.test(path))).toEqual([]);
  });

  test('contain no unfinished notes and no paths of a machine', () => {
    const places = [ROOT, dirname(ROOT), homedir()].filter((place) => place !== '/' && place !== tmpdir());
    const notes = /\b(TO[D]O|FIX[M]E|XX[X])\b/;
    const wrong = files.filter((path) => {
      const text = readSource(path);
      return notes.test(text) || places.some((place) => text.includes(`${place}/`));
    });
    expect(wrong).toEqual([]);
  });

  test('use none of the banned words', () => {
    const own = files.filter((path) => path !== 'docs/specification.md');
    const texts = own.filter((path) =>
      /^(src|docs|test\/cli\/(golden|transcripts))\/|^[A-Z]+\.md$/.test(path),
    );
    const wrong = texts.flatMap((path) =>
      readSource(path)
        .split('\n')
        .flatMap((line, index) =>
          BANNED_WORDS.test(line) ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [],
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('of the lockfile name no registry', () => {
    expect(readSource('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });

  test.skipIf(process.platform === 'win32')('of the command are executable', () => {
    expect(statSync(join(ROOT, 'bin/petstore.cjs')).mode & 0o111).toBe(0o111);
  });
});

/** The texts in backquotes of a cell of a table. */
function codeOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function importsFrom(path: string): readonly string[] {
  return imports.get(path) ?? [];
}

function mayImport(path: string, target: string): boolean {
  if (OPEN_TO_ALL.test(target)) return !path.startsWith('src/schema/') || target.startsWith('src/schema/');
  const [layer, targetLayer] = [layerOf(path), layerOf(target)];
  if (path === 'src/index.ts') return targetLayer === 'client' && target === importedFileOf('client');
  if (layer === undefined || targetLayer === undefined) return false;
  if (layer === targetLayer)
    return !/^src\/\w+\/(index|internal)\.ts$/.test(target) || path === 'src/mock/msw.ts';
  return LAYERS[layer]?.includes(targetLayer) === true && target === importedFileOf(targetLayer);
}

/** The file of a layer that other layers import. Its index.ts is public, and may lack what they need. */
function importedFileOf(layer: string): string {
  const internal = `src/${layer}/internal.ts`;
  return sources.includes(internal) ? internal : `src/${layer}/index.ts`;
}

function layerOf(path: string): string | undefined {
  return /^src\/([a-z-]+)\//.exec(path)?.[1];
}

/** Every folder that contains one of the files, at any depth. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders].sort();
}

/** The file or folder directly in `folder` that the path is or is in. */
function entryIn(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
}

/** The nodes of one import circle, in order. Dynamic and type imports count. */
function findCircle(
  nodes: readonly string[],
  targetsOf: (node: string) => readonly string[],
): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const target of targetsOf(node)) {
      const circle = visit(target, [...trail, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of nodes) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
