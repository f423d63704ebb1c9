// The rate budget, in virtual time against the mock: how much of the quota is used, and what it costs in 429s. No real
// waiting, and the same figures in every run. The simulation is the one of the tests (test/support/pacing).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { replaceGlobalClock } from './global-clock.mjs';
import { ROOT } from './measure.mjs';
import { PEERS } from './pacing-peers.mjs';

const SIMULATION = [
  'pacing/petstore.ts',
  'pacing/scenarios.ts',
  'pacing/simulation.ts',
  'pacing/traps.ts',
  'virtual-clock.ts',
];
const product = { createPetStore, createMock };
const {
  PLANS,
  apart,
  createVirtualClock,
  dayScenario,
  deathScenario,
  everydayScenarios,
  foreignScenarios,
  inOneProcess,
  overPlace,
  simulate,
  steadyOverload,
  traps,
} = await loadSimulation();

/** Share of the quota below which a client that is alone on its key wastes it. */
const USED_BAR = 0.98;
const CLIENTS = 8;
const MINUTES = 30;

for (const plan of PLANS) {
  table(`petstore, ${plan}: 1 client, and ${CLIENTS} in one process`);
  for (const clients of [1, CLIENTS]) {
    for (const scenario of [...everydayScenarios(plan, clients), dayScenario(plan, clients)]) {
      row(`${clients} × ${scenario.name}`, await simulate(product, scenario, inOneProcess(product)), true);
    }
  }
  table(`petstore, ${plan}: with others on the key`);
  for (const scenario of foreignScenarios(plan, CLIENTS)) {
    row(`${CLIENTS} × ${scenario.name}`, await simulate(product, scenario, inOneProcess(product)));
  }
  await tableOfProcesses(plan);
}

table('petstore, free: headers that mislead, 5 minutes');
for (const trap of Object.values(traps('free'))) {
  row(trap.name, await simulate(product, trap, inOneProcess(product)));
}

for (const clients of [1, CLIENTS]) {
  const processes = clients === 1 ? '1 process' : `${clients} processes`;
  const scenario = { ...steadyOverload('free', clients), minutes: MINUTES };
  table(`side by side, 60 a minute and 1,000 a day, ${MINUTES} minutes of overload, ${processes}`);
  row('petstore, nothing between them', await simulate(product, scenario, apart(product)), clients === 1);
  if (clients > 1) row('petstore, a gate of files', await simulateOver(scenario, 0), true);
  for (const [name, peer] of Object.entries(PEERS)) await rowOfPeer(name, peer, scenario);
}

async function tableOfProcesses(plan) {
  const everyday = [...everydayScenarios(plan, CLIENTS), deathScenario(plan, CLIENTS)];
  for (const [where, latencyMs] of [
    ['in files', 0],
    ['across a network', 1],
  ]) {
    table(`petstore, ${plan}: ${CLIENTS} processes, a gate ${where}`);
    for (const scenario of everyday) row(scenario.name, await simulateOver(scenario, latencyMs), true);
    for (const scenario of foreignScenarios(plan, CLIENTS)) {
      row(scenario.name, await simulateOver(scenario, latencyMs));
    }
  }
  table(`petstore, ${plan}: ${CLIENTS} processes, nothing between them`);
  const scenario = steadyOverload(plan, CLIENTS);
  row(scenario.name, await simulate(product, scenario, apart(product)));
}

function simulateOver(scenario, latencyMs) {
  const clock = createVirtualClock(scenario.startAt);
  return simulate(product, scenario, overPlace(product, clock, latencyMs), clock);
}

async function rowOfPeer(name, { packages, open }, scenario) {
  const modules = await Promise.all(packages.map((wanted) => import(wanted).catch(() => undefined)));
  const missing = packages.filter((_, index) => modules[index] === undefined);
  if (missing.length > 0) {
    console.log(`  ${name.padEnd(46)} not installed (npm install --no-save ${missing.join(' ')})`);
    return;
  }
  const clock = createVirtualClock(scenario.startAt);
  const restore = replaceGlobalClock(clock);
  try {
    const contender = { name, clients: 'apart', open: (seat) => open({ seat, perMinute: 60, modules }) };
    row(name, await simulate(product, scenario, contender, clock));
  } finally {
    restore();
  }
}

/**
 * A title and what the columns are: share of the quota used in minutes with work left over, 429s of one's own doing and
 * by the race with others, bans, requests sent before the told time, the least served as a share of the most served,
 * the longest call, calls that failed.
 */
function table(title) {
  console.log(`\n${title}`);
  line('', ['used', '429 own', 'race', 'bans', 'early', 'fair', 'longest', 'failed']);
}

/** @param {boolean} barred whether the figures have to meet the bars: 98 % used, no 429, nothing early. */
function row(name, figures, barred = false) {
  const { refused, bans, early, used, fairness, longestMs, failures } = figures;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const met = used >= USED_BAR && refused.ours + refused.race + refused.uninformed + early + bans === 0;
  if (barred && !met) process.exitCode = 1;
  const cells = [
    `${(100 * used).toFixed(1)} %`,
    refused.ours + refused.uninformed,
    refused.race,
    bans,
    early,
    fairness.toFixed(2),
    `${Math.round(longestMs / 1000)} s`,
    failed,
  ];
  line(name, cells, barred ? (met ? 'ok' : 'MISSED') : '');
}

function line(name, cells, verdict = '') {
  const texts = cells.map((cell) => String(cell).padStart(8));
  console.log(`  ${name.padEnd(46)}${texts.join('')}  ${verdict}`.trimEnd());
}

/** Bundles the simulation of the tests, which is TypeScript. The product comes in from outside. */
async function loadSimulation() {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  const outfile = join(folder, 'simulation.mjs');
  const support = (name) => JSON.stringify(join(ROOT, 'test/support', name));
  const contents = SIMULATION.map((name) => `export * from ${support(name)};`).join('\n');
  try {
    await build({
      stdin: { contents, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
