import { existsSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type ts from 'typescript';
import {
  createProgram,
  deadExports,
  filesBelow,
  hasNothingToRun,
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
  'src/cli/main.ts',
  'src/cli/keychain-main.ts',
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
  undici: /^src\/(client\/|cli\/process-context\.ts$)/,
};

/** Source files without a test of the same path, or whole folders (`…/`), each with what tests it instead. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/bulk/bulk-error.ts': 'a class of facts: test/bulk/open-import.test.ts shows them all',
  'src/bulk/record-parser.ts': 'one number: the tests of the three parsers reach it',
  'src/cli/command-failure.ts': 'a class of facts: test/cli/exit.test.ts shows them all',
  'src/cli/commands/auth/': 'test/cli/commands/auth/ has a file for each thing that verbs do together',
  'src/cli/commands/config/': 'test/cli/commands/config/config.test.ts goes from one verb to the next',
  'src/cli/commands/doctor/diagnose.ts': 'the order of the checks: test/cli/commands/doctor/show.test.ts',
  'src/cli/commands/doctor/diagnose-machine.ts':
    'test/cli/commands/doctor/{open-places,gate-place,terminal-fact}.test.ts read what it says',
  'src/cli/commands/doctor/diagnose-set-up.ts':
    'test/cli/commands/doctor/{chosen,machine}.test.ts read what it says',
  'src/cli/commands/doctor/fault.ts': 'test/cli/commands/doctor/examine.test.ts has every fault',
  'src/cli/commands/doctor/if-allowed.ts':
    'one try: test/cli/commands/doctor/open-places.test.ts goes by what it may not look at',
  'src/cli/commands/doctor/sound-session.ts':
    'test/cli/commands/doctor/examine.test.ts leaves out each thing that is wrong',
  'src/cli/commands/doctor/authority-files.ts':
    'test/cli/commands/doctor/{examine,diagnose-way}.test.ts read what is said of them',
  'src/cli/key-file.ts': 'test/cli/stored-keys.test.ts keeps keys in files',
  'src/cli/keychain-main.ts': 'two lines in a process of its own: test/flows/auth.test.ts runs it',
  'src/cli/command-modules.ts':
    'a table: test/cli/read-command-tree.test.ts compares it with that of the commands',
  'src/cli/commands/domain/domain-flags.ts':
    'flags: test/cli/commands/domain/verify-options.test.ts parses each',
  'src/cli/commands/domain/plan-text.ts': 'test/cli/commands/domain/records.test.ts reads it whole',
  'src/cli/commands/domain/register.ts': 'test/cli/program.test.ts asks each of its verbs for help',
  'src/cli/commands/pets/import-fields.ts': 'two lists of names: test/cli/shown-fields.test.ts compares them',
  'src/cli/commands/limits/limit-view.ts': 'test/cli/commands/limits/show.test.ts reads it whole',
  'src/cli/main.ts': 'a process of its own: test/runtimes.test.ts runs it',
  'src/cli/start.ts': 'the rest of that process: test/runtimes.test.ts runs it',
  'src/cli/output/view.ts': 'one list of names: test/cli/output/render.test.ts renders each',
  'src/cli/usage-error.ts': 'a class of facts: test/cli/exit.test.ts shows them all',
  'src/client/gate/budget-state.ts': 'plain data: test/client/gate/budget.test.ts puts the rules to it',
  'src/client/gate/redis/redis-ledgers.ts':
    'the parts of the Redis gate joined: test/client/gate/redis/redis-gate.test.ts uses it',
  'src/client/run.ts': 'the state of a call and the errors it ends in: test/client/retry.test.ts runs it',
  'src/version.ts': 'one constant of the build: test/runtimes.test.ts compares it with package.json',
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
  test('of src have a test of the same path, or a reason', () => {
    const untested = sources.filter(
      (path) =>
        !Object.keys(TESTED_ELSEWHERE).some(
          (start) => path === start || (start.endsWith('/') && path.startsWith(start)),
        ) &&
        !existsSync(join(ROOT, path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts'))) &&
        !hasNothingToRun(path),
    );
    expect(untested).toEqual([]);
  });

  test('excused from a test of their own exist', () => {
    const left = Object.keys(TESTED_ELSEWHERE).filter(
      (start) => !sources.some((path) => path.startsWith(start)),
    );
    expect(left).toEqual([]);
  });

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
