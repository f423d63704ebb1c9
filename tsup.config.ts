import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
    onSuccess: async () => {
      inheritNamespaces('dist/cli');
    },
  },
]);

/** How the bundler makes a namespace of a CommonJS module, for `import * as` and `import()`. */
const COPIED_NAMESPACE =
  /var newObj = \{\}; if \(obj != null\) \{ for \(var key in obj\) \{ if \([^)]*\)\) \{ newObj\[key\] = obj\[key\]; \} \} \}/g;

/**
 * Lets a namespace inherit its members instead of copying them. Copying reads every getter, and those of node:http load
 * the whole of Node's own undici on Node 22 and later: 17 to 20 ms, as much as a bare start.
 */
function inheritNamespaces(folder: string): void {
  let replaced = 0;
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`;
    const code = readFileSync(path, 'utf8');
    const rewritten = code.replace(COPIED_NAMESPACE, () => {
      replaced += 1;
      return 'var newObj = Object.create(obj);';
    });
    if (rewritten !== code) writeFileSync(path, rewritten);
  }
  if (replaced === 0) throw new Error('tsup writes namespaces in another way now: see COPIED_NAMESPACE.');
}
