// npm run bench -- [NAME...] [--nodes PATH:PATH] [--long] [--write]
// Measures against a baseline in the same run, on this Node and on those of `--nodes` or PETSTORE_TEST_NODES.
// `--long` adds rows that take many minutes. `--write` updates bench/results and bench/RESULTS.md.
// Needs a build and an idle machine. Other packages come from npm.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnv, ROOT } from './measure.mjs';
import { installPeers } from './peers/install.mjs';
import { saveResults } from './results/save.mjs';

/** Where each runs: on every Node, on this one, or on the first that its packages support. `peers`: needs packages. */
const BENCHMARKS = {
  startup: { on: 'each' },
  library: { on: 'each', peers: true },
  mock: { on: 'each', peers: true },
  'mock-load': { on: 'this' },
  domain: { on: 'each' },
  bulk: { on: 'this' },
  import: { on: 'this', args: ['20000'] },
  pacing: { on: 'this', peers: true },
  clients: { on: 'newest', peers: true },
  'import-million': { on: 'this', script: 'import', args: ['1000000'], long: true },
  tests: { on: 'this', long: true },
};

const options = { nodes: { type: 'string' }, long: { type: 'boolean' }, write: { type: 'boolean' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const unknown = positionals.find((name) => !(name in BENCHMARKS));
if (unknown !== undefined)
  throw new Error(`There is no benchmark ${unknown}. There are ${Object.keys(BENCHMARKS).join(', ')}`);
if (!existsSync(`${ROOT}/dist`)) throw new Error('There is nothing to measure yet: npm run build');

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
  for (const node of nodesFor(BENCHMARKS[name].on)) {
    console.log(`\n=== ${name}, Node ${node.version}`);
    const startedAt = performance.now();
    const results = await runBenchmark(name, node.path);
    console.log(`=== ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    const isComplete = results.rows.length > 0 || results.clients !== undefined;
    if (values.write === true && isComplete) await saveResults({ name, node: node.version, ...results });
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

function nodesFor(on) {
  if (on === 'each') return nodes;
  if (on === 'this') return nodes.slice(0, 1);
  // An even release: an LTS that the packages of the comparison support.
  const supported = nodes.filter(({ version }) => Number(version.split('.')[0]) >= 24);
  if (supported.length === 0) console.log('\n=== clients: needs Node 24 or later (--nodes)');
  return supported.slice(0, 1);
}

/** Runs the script of a benchmark, and collects what it reports. */
function runBenchmark(name, node) {
  const { script = name, args = [] } = BENCHMARKS[name];
  const child = spawn(node, [fileURLToPath(new URL(`${script}.mjs`, import.meta.url)), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  const results = { rows: [], peers: {} };
  child.on('message', ({ row, peers, clients }) => {
    if (row !== undefined) results.rows.push(row);
    Object.assign(results.peers, peers);
    if (clients !== undefined) results.clients = clients;
  });
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      if (code !== 0) process.exitCode = 1;
      resolve(results);
    });
  });
}
