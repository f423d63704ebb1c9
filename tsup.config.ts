import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import packageJson from './package.json' with { type: 'json' };

type Plugin = NonNullable<Options['plugins']>[number];
type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** Where the name of a build goes once it is known. */
const BUILD_PLACE = '(the name of the build)';

const define = { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) };

export default defineConfig([
  {
    // The library: dependencies stay outside, so that an application shares one undici and one zod.
    name: 'library',
    entry: {
      index: 'src/index.ts',
      'domain/index': 'src/domain/index.ts',
      'mock/index': 'src/mock/index.ts',
      'mock/msw': 'src/mock/msw.ts',
    },
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    removeNodeProtocol: false,
    outDir: 'dist',
    splitting: true,
    dts: true,
    silent: true,
    define,
  },
  {
    // The command line: bundled whole and split, so that a command loads only what it uses.
    name: 'cli',
    entry: {
      main: 'src/cli/startup/main.ts',
      lifecycle: 'src/cli/program/lifecycle.ts',
      'keychain-main': 'src/cli/startup/keychain-main.ts',
    },
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    removeNodeProtocol: false,
    outDir: 'dist/cli',
    outExtension: () => ({ js: '.cjs' }),
    splitting: true,
    minify: true,
    // undici is installed with the library anyway, and a command loads it only behind a proxy; the other is native.
    external: ['undici', '@napi-rs/keyring'],
    noExternal: [/^(?!undici$|@napi-rs\/keyring$)/],
    plugins: [commonJs()],
    esbuildPlugins: [lazyChildProcess(), leanRedis()],
    esbuildOptions(options) {
      // Of a CommonJS package, a split bundle's import() hands over the default alone; this build of yaml has names.
      options.alias = { yaml: './node_modules/yaml/browser/index.js' };
    },
    silent: true,
    // Of CommonJS: the files that the build writes lie beside the program.
    define: {
      ...define,
      ...commit(),
      'import.meta.dirname': '__dirname',
      __PETSTORE_BUILD__: JSON.stringify(BUILD_PLACE),
    },
    onSuccess: async () => {
      await packSharedChunks('dist/cli');
      await nameBuild('dist/cli');
      await writeTree('dist/cli/command-tree.json');
      await run('commands', '--man', 'dist/man');
    },
  },
]);

/** The commit of the checkout that is built, for `petstore version --json`; none where the sources came without git. */
function commit(): Record<string, string> {
  if (!existsSync('.git')) return {};
  try {
    const arguments_ = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    const name = execFileSync('git', arguments_, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { __PETSTORE_COMMIT__: JSON.stringify(name.trim()) };
  } catch {
    return {};
  }
}

/**
 * Commander loads node:child_process for commands that are programs of their own, of which there are none here. Loading
 * it takes 5 ms, a quarter of a bare start: put off until it would be used.
 */
function lazyChildProcess(): EsbuildPlugin {
  return {
    name: 'lazy-child-process',
    setup(build) {
      build.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]command\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        const eager = "const childProcess = require('node:child_process');";
        if (!code.includes(eager)) throw new Error('commander loads node:child_process in another way now');
        const lazy = "const childProcess = { spawn: (...a) => require('node:child_process').spawn(...a) };";
        return { contents: code.replace(eager, lazy), loader: 'js' };
      });
    },
  };
}

/**
 * Leaves out what the Redis gate has no use for, which is two thirds of the package: it sends its script as a plain
 * command, so the table of all commands and what is known of each are not needed, nor are clusters and sentinels.
 */
function leanRedis(): EsbuildPlugin {
  const lean = [
    {
      file: 'index',
      holds: 'exports.createClient =',
      contents: "exports.createClient = require('./lib/client').default.create;",
    },
    {
      file: 'lib/commands/index',
      holds: 'CLIENT_SETNAME',
      // What the client sends by itself when it connects.
      contents: `exports.default = {
        AUTH: require('./AUTH').default,
        CLIENT_SETNAME: require('./CLIENT_SETNAME').default,
        READONLY: require('./READONLY').default,
      };`,
    },
    {
      file: 'lib/command-metadata/command-metadata-data',
      holds: 'exports.COMMAND_METADATA =',
      contents: 'exports.COMMAND_METADATA = {};',
    },
  ];
  return {
    name: 'lean-redis',
    setup(build) {
      for (const { file, holds, contents } of lean) {
        const path = file.replaceAll('/', '[\\\\/]');
        build.onLoad(
          { filter: new RegExp(`[\\\\/]@redis[\\\\/]client[\\\\/]dist[\\\\/]${path}\\.js$`) },
          async (found) => {
            const code = await readFile(found.path, 'utf8');
            if (!code.includes(holds))
              throw new Error(`@redis/client is built in another way now: ${file}.js`);
            return { contents: `exports.__esModule = true; ${contents}`, loader: 'js' };
          },
        );
      }
    },
  };
}

/**
 * Makes CommonJS of every chunk, because an ESM entry costs a fresh process 3 to 4 ms, and a static ESM import of
 * node:http loads Node's own undici on Node 22 and later: 17 to 20 ms.
 *
 * tsup's own way breaks minified class fields, and makes namespaces by copying, which reads every getter, those of
 * node:http too. esbuild's namespaces pass the getters on.
 */
function commonJs(): Plugin {
  return {
    name: 'commonjs',
    async renderChunk(code) {
      const converted = await transform(code, {
        format: 'cjs',
        minify: true,
        platform: 'node',
        supported: { 'dynamic-import': false },
        target: 'node20',
      });
      return { code: converted.code };
    },
  };
}

/** In characters: of a chunk that a group of commands begins with, and of any other. */
const SMALL = 4_000;
const TINY = 1_000;

/** A chunk that others share. It is always loaded by a plain require; chunks named otherwise are loaded when needed. */
const SHARED = /require\("\.\/(chunk-[A-Z0-9]+\.cjs)"\)/g;

/** What Node loads by itself, without lifecycle.cjs. */
const STARTED_BY_NODE =
  /^(main|keychain-main|start-.*|complete-line-.*|completion-script-.*|root-help-.*)\.cjs$/;

/**
 * Puts the shared chunks that every command loads into one file, `core.cjs`, and those that a file loads which Node
 * starts into that file. Splitting leaves some 20 of them, and each file costs 0.2 ms to find and read: a tenth of what
 * `pets list` takes. They stay modules, run when first required.
 */
async function packSharedChunks(folder: string): Promise<void> {
  const names = await readdir(folder);
  const code = new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(`${folder}/${name}`, 'utf8')] as const),
    ),
  );
  const textOf = (name: string): string => code.get(name) ?? '';
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const [, name = ''] of textOf(from).matchAll(SHARED)) {
      if (!seen.has(name)) reach(name, seen.add(name));
    }
    return seen;
  };
  const linked = (text: string, packed: ReadonlySet<string>, load: string): string =>
    text.replace(SHARED, (whole, name: string) => (packed.has(name) ? `${load}("${name}")` : whole));
  const pack = (packed: ReadonlySet<string>): string => {
    const modules = [...packed].map(
      (name) => `"${name}":(exports,module)=>{${linked(textOf(name), packed, '__load')}}`,
    );
    return `"use strict";const __modules={${modules.join(',\n')}},__loaded={};
function __load(name){let module=__loaded[name];if(module===undefined){module=__loaded[name]={exports:{}};__modules[name](module.exports,module)}return module.exports}
`;
  };

  // To find a file costs more than to read some hundred bytes of another, and no more than some thousand.
  const begun = new Set(
    names.filter((name) => name.startsWith('register-')).flatMap((name) => [...reach(name)]),
  );
  const small = names.filter(
    (name) => name.startsWith('chunk-') && textOf(name).length < (begun.has(name) ? SMALL : TINY),
  );
  const core = new Set([...reach('lifecycle.cjs'), ...small]);
  const alone = names.filter((name) => STARTED_BY_NODE.test(name));
  const others = names.filter((name) => !core.has(name) && !alone.includes(name));
  const needed = new Set(others.flatMap((name) => [name, ...reach(name)]));
  await writeFile(`${folder}/core.cjs`, `${pack(core)}module.exports=__load;\n`);
  for (const name of alone) {
    const packed = reach(name);
    await writeFile(`${folder}/${name}`, pack(packed) + linked(textOf(name), packed, '__load'));
  }
  for (const name of names.filter((name) => !alone.includes(name))) {
    if (core.has(name) || !needed.has(name)) await rm(`${folder}/${name}`);
    else await writeFile(`${folder}/${name}`, linked(textOf(name), core, 'require("./core.cjs")'));
  }
}

/** Names the build by what it holds, in the one place that asks: compiled code is kept for these very files. */
async function nameBuild(folder: string): Promise<void> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(`${folder}/${name}`, 'utf8');
    hash.update(name).update(text);
  }
  const start = (await readdir(folder)).find((name) => name.startsWith('start-')) ?? 'start.cjs';
  const text = await readFile(`${folder}/${start}`, 'utf8');
  if (text.split(BUILD_PLACE).length !== 2)
    throw new Error(`${start} has no one place for the name of the build`);
  await writeFile(`${folder}/${start}`, text.replace(BUILD_PLACE, hash.digest('hex').slice(0, 12)));
}

/** Has the program tell what commands it has, so that completion needs to load none of them. */
async function writeTree(file: string): Promise<void> {
  await writeFile(file, await run('commands', '--json'));
}

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/petstore.cjs', ...args, '--quiet'], {
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return stdout;
}
