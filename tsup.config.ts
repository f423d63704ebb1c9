import { defineConfig } from 'tsup';

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
    dts: true,
    clean: ['dist'],
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
    noExternal: [/.*/],
  },
]);
