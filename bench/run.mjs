// npm run bench -- [NAME...] [--nodes PATH:PATH] [--long] [--write]
// Measures against a baseline in the same run, on this Node and on those of `--nodes` or PETSTORE_TEST_NODES.
// `--long` adds rows that take many minutes. `--write` updates bench/results and bench/RESULTS.md.
// Needs a build and an idle machine. Other packages come from npm.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnv, ROOT } from './measure.mjs';
import { installPeers } from './peers/install.mjs';
import { collectResults } from './results/collect.mjs';
import { saveResults } from './results/save.mjs';

/** Where each runs: on every Node, or on the first with at least `nodeMin`, a major version. `peers`: needs packages. */
const BENCHMARKS = {
  startup: { on: 'each' },
  library: { on: 'each', peers: true },
  mock: { on: 'each', peers: true },
  'mock-load': { on: 'first' },
  domain: { on: 'each' },
  bulk: { on: 'first' },
  import: { on: 'first', args: ['20000'], peers: true },
  pacing: { on: 'first', peers: true },
  clients: { on: 'first', nodeMin: 24, peers: true },
  'import-million': { on: 'first', script: 'import', args: ['1000000'], long: true },
  tests: { on: 'first', long: true },
};

const { values, positionals } = readArguments();

const names = Object.keys(BENCHMARKS).filter((name) =>
  positionals.length > 0 ? positionals.includes(name) : values.long === true || !BENCHMARKS[name].long,
);
const nodes = findNodes((values.nodes ?? process.env.PETSTORE_TEST_NODES ?? '').split(delimiter));

// Name servers and dig may be outside the PATH.
const { PETSTORE_TEST_DNS } = process.env;
const env = cleanEnv(PETSTORE_TEST_DNS === undefined ? {} : { PETSTORE_TEST_DNS });

// Now, because the benchmarks have no proxy and no additional certificates in their environment.
for (const name of names) if (BENCHMARKS[name].peers) await installPeers(name);

for (const name of names) {
  for (const node of nodesFor(name)) {
    console.log(`\n=== ${name}, Node ${node.version}`);
    const startedAt = performance.now();
    const { script = name, args = [] } = BENCHMARKS[name];
    const path = fileURLToPath(new URL(`${script}.mjs`, import.meta.url));
    const { code, isComplete, ...results } = await collectResults([path, ...args], { node: node.path, env });
    console.log(`=== ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    if (code !== 0 || !isComplete) process.exitCode = 1;
    if (!isComplete) console.log(`=== ${name} failed`);
    const isEmpty = results.rows.length === 0 && results.clients === undefined;
    if (values.write === true && isComplete && !isEmpty)
      await saveResults({ name, node: node.version, ...results });
  }
}

/** Ends the process with 0 after help, and with 2 after a mistake. */
function readArguments() {
  const flag = { type: 'boolean' };
  const options = { nodes: { type: 'string' }, long: flag, write: flag, help: flag };
  const known = Object.keys(BENCHMARKS);
  try {
    const found = parseArgs({ options, allowPositionals: true });
    if (found.values.help) {
      console.log(
        `npm run bench -- [NAME...] [--nodes PATH:PATH] [--long] [--write]\nNames: ${known.join(', ')}`,
      );
      process.exit();
    }
    const unknown = found.positionals.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new Error(`Unknown benchmark ${unknown}; known: ${known.join(', ')}`);
    if (!existsSync(`${ROOT}/dist`)) throw new Error('dist/ is missing: run "npm run build" first');
    return found;
  } catch (error) {
    console.error(`error: ${error.message}`);
    return process.exit(2);
  }
}

/** This Node and the others, each release once. */
function findNodes(paths) {
  const found = new Map();
  for (const path of [process.execPath, ...paths.filter((path) => path !== '')]) {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const version = stdout.trim().slice(1);
    if (!found.has(version)) found.set(version, { path, version });
  }
  return [...found.values()];
}

/** The nodes on which a benchmark runs. The first one is this Node. */
function nodesFor(name) {
  const { on, nodeMin = 0 } = BENCHMARKS[name];
  if (on === 'each') return nodes;
  const first = nodes.find(({ version }) => Number(version.split('.')[0]) >= nodeMin);
  if (first !== undefined) return [first];
  console.log(`\n=== ${name}: needs Node ${nodeMin} or later (--nodes)`);
  return [];
}
