// Copied next to the bundlers, and run there: bundle.mjs BUNDLER FOLDER. Bundles FOLDER/program.mjs, prints warnings.
import { join } from 'node:path';

const [, , bundler, folder] = process.argv;
const entry = join(folder, 'program.mjs');
const output = (name) => join(folder, 'out', name);

const build = {
  async 'webpack-node'() {
    await runWebpack({ target: 'node20', output: { path: output('webpack-node'), filename: 'program.cjs' } });
  },
  async 'webpack-web'() {
    const module = { path: output('webpack-web'), filename: 'program.mjs', module: true };
    await runWebpack({ target: ['web', 'es2022'], output: module, experiments: { outputModule: true } });
  },
  async 'vite-node'() {
    await runVite({
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: output('vite-node'),
        rollupOptions: { output: { entryFileNames: 'program.mjs' } },
      },
    });
  },
  async 'vite-web'() {
    const lib = { entry, formats: ['es'], fileName: () => 'program.mjs' };
    await runVite({ build: { outDir: output('vite-web'), lib } });
  },
  async 'rollup-node'() {
    await runRollup({ preferBuiltins: true }, output('rollup-node'));
  },
  async 'rollup-web'() {
    await runRollup({ browser: true }, output('rollup-web'));
  },
};
await build[bundler]();

async function runWebpack(options) {
  const { default: webpack } = await import('webpack');
  // Only errors and warnings of the code count, not the size of the bundle.
  const common = {
    mode: 'production',
    context: folder,
    entry,
    performance: false,
    optimization: { minimize: false },
  };
  const stats = await new Promise((resolve, reject) => {
    webpack({ ...common, ...options }, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  for (const { message } of [...errors, ...warnings]) console.log(message);
}

async function runVite(options) {
  const { build } = await import('vite');
  await build({ root: folder, configFile: false, logLevel: 'warn', ...options });
}

async function runRollup(resolution, dir) {
  const { rollup } = await import('rollup');
  const { default: nodeResolve } = await import('@rollup/plugin-node-resolve');
  const { default: commonjs } = await import('@rollup/plugin-commonjs');
  const bundle = await rollup({
    input: entry,
    plugins: [nodeResolve(resolution), commonjs()],
    // Circles and annotations of zod, and modules of Node.js that Rollup does not know.
    onwarn: ({ message, exporter = '', id = '', ids = [id] }) => {
      const isOfZod = ids.every((path) => path.includes('/node_modules/zod/'));
      if (!isOfZod && !exporter.startsWith('node:')) console.log(message);
    },
  });
  await bundle.write({ dir, format: 'es', entryFileNames: 'program.mjs' });
}
