import { defineConfig } from 'tsup';
import packageJson from './package.json' with { type: 'json' };

const define = { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) };

export default defineConfig([
  {
    // The library: dependencies stay outside, so that an application shares one undici and one zod.
    name: 'library',
    entry: { index: 'src/index.ts', 'mock/index': 'src/mock/index.ts', 'mock/msw': 'src/mock/msw.ts' },
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    outDir: 'dist',
    splitting: true,
    treeshake: false,
    dts: true,
    silent: true,
    define,
  },
  {
    // The command line: bundled whole and split, so that a command loads only what it uses. CommonJS, because an
    // ESM entry costs a fresh process 3 to 4 ms and a static ESM import of node:http loads undici on Node 22 and later.
    name: 'cli',
    entry: { main: 'src/cli/main.ts' },
    format: ['cjs'],
    target: 'node20',
    platform: 'node',
    outDir: 'dist/cli',
    splitting: true,
    minify: true,
    // undici is installed with the library anyway, and a command loads it only behind a proxy.
    external: ['undici'],
    noExternal: [/^(?!undici$)/],
    silent: true,
    define,
  },
]);
