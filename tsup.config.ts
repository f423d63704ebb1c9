import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import packageJson from './package.json' with { type: 'json' };

type Plugin = NonNullable<Options['plugins']>[number];
type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

const define = { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) };

export default defineConfig([
  {
    // The library: dependencies stay outside, so that an application shares one undici and one zod.
    name: 'library',
    entry: { index: 'src/index.ts', 'mock/index': 'src/mock/index.ts', 'mock/msw': 'src/mock/msw.ts' },
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
    entry: { main: 'src/cli/main.ts' },
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    removeNodeProtocol: false,
    outDir: 'dist/cli',
    outExtension: () => ({ js: '.cjs' }),
    splitting: true,
    minify: true,
    // undici is installed with the library anyway, and a command loads it only behind a proxy.
    external: ['undici'],
    noExternal: [/^(?!undici$)/],
    plugins: [commonJs()],
    esbuildPlugins: [lazyChildProcess()],
    esbuildOptions(options) {
      // Of a CommonJS package, a split bundle's import() hands over the default alone; this build of yaml has names.
      options.alias = { yaml: './node_modules/yaml/browser/index.js' };
    },
    silent: true,
    define,
  },
]);

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
