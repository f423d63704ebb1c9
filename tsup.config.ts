import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { describePackages } from './build/bundled-packages.js';
import { bundlePage, PAGE_FILE } from './build/bundle-page.js';
import packageJson from './package.json' with { type: 'json' };

type Plugin = NonNullable<Options['plugins']>[number];
type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** The file whose imports become the core chunk. */
const PROGRAM = resolve('src/cli/startup/core-chunk.ts');

/** Required by CommonJS packages. With an import it would make esbuild wrap each file of the program in a function. */
const NO_CHILD_PROCESS = resolve('src/cli/startup/no-child-process.ts');

/** The page of the mock, for the library and for the command. */
const page = await bundlePage();

const define = { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) };

const shared = {
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  silent: true,
} satisfies Options;

/** The command line is CommonJS, because an ES module costs a fresh process 3 to 4 ms more. */
const commandLine = {
  ...shared,
  outDir: 'dist/cli',
  outExtension: () => ({ js: '.cjs' }),
  minify: true,
  // Only the library and imports use undici, which would be half a megabyte; @napi-rs/keyring is native.
  external: ['undici', '@napi-rs/keyring'],
  noExternal: [/^(?!undici$|@napi-rs\/keyring$)/],
  define: { ...define, ...commit(), 'import.meta.dirname': '__dirname' },
} satisfies Options;

const entryPoints = {
  index: 'src/index.ts',
  'bulk/index': 'src/bulk/index.ts',
  'domain/index': 'src/domain/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/msw': 'src/mock/msw.ts',
};

export default defineConfig([
  {
    // Dependencies stay outside, so that an application has one undici and one zod. dns-packet is inside: it requires
    // "buffer", which a bundle of esbuild in ESM format can't do, and a browser has no such module.
    ...shared,
    name: 'library',
    entry: {
      ...entryPoints,
      // A file of its own, because `browser` in package.json leaves it out.
      'mock/network': 'src/mock/listen-mock.ts',
    },
    format: ['esm'],
    outDir: 'dist',
    splitting: true,
    dts: { entry: entryPoints },
    define,
    plugins: [noBareImports()],
    esbuildPlugins: [pageModule(), globalBuffer()],
  },
  {
    // Prints version, help and completion, and loads the program for everything else.
    ...commandLine,
    name: 'main',
    entry: ['main', 'complete-line', 'keychain-main'].map((name) => `src/cli/startup/${name}.ts`),
    format: ['cjs'],
    esbuildPlugins: [moduleList('dist/cli/modules.main.json')],
    esbuildOptions(options) {
      // The single executable has no import().
      options.supported = { 'dynamic-import': false };
    },
  },
  {
    // Split, so that a command loads only what it uses.
    ...commandLine,
    name: 'program',
    entry: { program: PROGRAM },
    format: ['esm'],
    splitting: true,
    plugins: [commonJs()],
    esbuildPlugins: [
      oneCoreChunk(),
      pageModule(),
      describePackages(page.metafile, 'dist'),
      moduleList('dist/cli/modules.program.json'),
    ],
    esbuildOptions(options) {
      options.alias = {
        // A split bundle imports only the default of a CommonJS package; this build of yaml is an ES module.
        yaml: './node_modules/yaml/browser/index.js',
        // Commander loads it for commands that are programs of their own. There are none, and it takes 3 ms.
        'node:child_process': NO_CHILD_PROCESS,
      };
    },
  },
]);

/** The commit of the checkout, for `petstore version --json`; missing if the sources came without git. */
function commit(): Record<string, string> {
  if (!existsSync('.git')) return {};
  const options = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  try {
    const name = execFileSync('git', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { __PETSTORE_COMMIT__: JSON.stringify(name.trim()) };
  } catch {
    return {};
  }
}

/** Removes imports of chunks for their side effects. They have none, and the importer's esbuild would warn of them. */
function noBareImports(): Plugin {
  return {
    name: 'no-bare-imports',
    renderChunk: (code) => ({ code: code.replaceAll(/^import "\.[^"]+";\n/gm, '') }),
  };
}

/**
 * Converts each chunk to CommonJS with esbuild, because esbuild splits ES modules only. `format: ['cjs']` of tsup breaks
 * minified class fields, and it reads every getter of node:http, which loads undici on Node 22 and later.
 *
 * Exports the getters themselves: esbuild copies each of them for importers that are ES modules, which are none.
 */
function commonJs(): Plugin {
  return {
    name: 'commonjs',
    async renderChunk(code) {
      const converted = await transform(code, {
        format: 'cjs',
        platform: 'node',
        supported: { 'dynamic-import': false },
        target: 'node20',
      });
      const exported = converted.code
        .replace(
          '= __toCommonJS(stdin_exports);',
          '= __defProp(stdin_exports, "__esModule", { value: true });',
        )
        .replace(/^0 && \(module\.exports = \{[^}]*\}\);$/m, '');
      const minified = await transform(exported, { format: 'cjs', minify: true, target: 'node20' });
      return { code: minified.code };
    },
  };
}

/**
 * Makes every source file import program.ts. esbuild makes a chunk for each set of files that are needed together, so
 * that all that program.ts imports is in one chunk instead of 50. Finding and reading a file takes 0.2 ms.
 */
function oneCoreChunk(): EsbuildPlugin {
  return {
    name: 'one-core-chunk',
    setup(build) {
      build.onResolve({ filter: /program\.ts$/ }, ({ path }) => ({ path, sideEffects: true }));
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        if (path === NO_CHILD_PROCESS) return undefined;
        const code = await readFile(path, 'utf8');
        return { contents: `import ${JSON.stringify(PROGRAM)};${code}`, loader: 'ts' };
      });
    },
  };
}

/** Replaces the import of page.html by the built page, as text, so that it also works in a bundle. */
function pageModule(): EsbuildPlugin {
  return {
    name: 'page-module',
    setup(build) {
      build.onLoad({ filter: PAGE_FILE }, () => ({ contents: page.module, loader: 'js' }));
    },
  };
}

/** Replaces the module "buffer" by the global `Buffer`. */
function globalBuffer(): EsbuildPlugin {
  return {
    name: 'global-buffer',
    setup(build) {
      build.onResolve({ filter: /^buffer$/ }, () => ({ path: 'buffer', namespace: 'global' }));
      build.onLoad({ filter: /./, namespace: 'global' }, () => ({
        contents: 'export const { Buffer } = globalThis;',
      }));
    },
  };
}

/** Writes the source files of each chunk to a file, for the test of start-up. It is not in the package. */
function moduleList(file: string): EsbuildPlugin {
  return {
    name: 'module-list',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile }) => {
        const outputs = Object.entries(metafile?.outputs ?? {}).map(([path, { inputs }]) => {
          const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
          return [path, used.map(([source]) => source).sort()] as const;
        });
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, JSON.stringify(Object.fromEntries(outputs)));
      });
    },
  };
}
