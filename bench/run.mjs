// `npm run bench [-- startup library mock bulk domain pacing]`: runs benchmarks on this Node and on those of PETSTORE_TEST_NODES.
// `npm run bench -- import` takes half an hour, so it runs only by name. Needs a build and an idle machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnv, ROOT } from './measure.mjs';

if (!existsSync(`${ROOT}/dist`)) throw new Error('There is nothing to measure yet: npm run build');

const named = process.argv.slice(2);
const benchmarks = named.length > 0 ? named : ['startup', 'library', 'mock', 'bulk', 'domain', 'pacing'];
const others = (process.env.PETSTORE_TEST_NODES ?? '').split(delimiter).filter((path) => path !== '');

// Name servers and dig may be outside the PATH.
const { PETSTORE_TEST_DNS } = process.env;
const { PETSTORE_BENCH_ROWS } = process.env;
const env = cleanEnv({
  ...(PETSTORE_TEST_DNS === undefined ? {} : { PETSTORE_TEST_DNS }),
  ...(PETSTORE_BENCH_ROWS === undefined ? {} : { PETSTORE_BENCH_ROWS }),
});

for (const node of [process.execPath, ...others]) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  console.log(`\n=== Node ${stdout.trim()}`);
  for (const name of benchmarks) {
    const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
    const { status } = spawnSync(node, [script], { stdio: 'inherit', env });
    if (status !== 0) process.exitCode = 1;
  }
}
