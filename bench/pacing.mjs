// The rate budget in virtual time, against the mock: used share of the quota, and the number of 429 responses. Waits
// take no real time, and every run has the same figures. The tests use the same simulation (test/support/pacing).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { replaceGlobalClock } from './peers/global-clock.mjs';
import { report, ROOT, verdict } from './measure.mjs';
import { PEERS } from './peers/rate-limiters.mjs';
import { installPeers } from './peers/install.mjs';
import { runOnLimiter } from './peers/limiter-run.mjs';

const SIMULATION = [
  'limiters/limiter.ts',
  'limiters/zoo.ts',
  'pacing/petstore.ts',
  'pacing/scenarios.ts',
  'pacing/simulation.ts',
  'pacing/traps.ts',
  'random-runs.ts',
  'virtual-clock.ts',
];
const product = { createPetStore, createMock };
const simulation = await loadSimulation();
const {
  PLANS,
  ZOO,
  apart,
  createVirtualClock,
  dayScenario,
  deathScenario,
  everydayScenarios,
  foreignScenarios,
  inOneProcess,
  seededRandom,
  withStorage,
  simulate,
  steadyOverload,
  traps,
} = simulation;

const { load } = await installPeers('pacing');

let currentTitle = '';
/** Minimum used share of the quota for a client alone on its key. */
const USED_BAR = 0.98;
const CLIENTS = 8;
/** Other clients in front of the limiters. */
const LIMITER_PEERS = ['got', 'ky', 'Bottleneck, reservoir', 'octokit throttling'];
const MINUTES = 30;

for (const plan of PLANS) {
  table(`petstore, ${plan}: 1 client, and ${CLIENTS} clients in one process`);
  for (const clients of [1, CLIENTS]) {
    for (const scenario of [...everydayScenarios(plan, clients), dayScenario(plan, clients)]) {
      row(`${clients} × ${scenario.name}`, await simulate(product, scenario, inOneProcess(product)), true);
    }
  }
  table(`petstore, ${plan}: with another user on the key`);
  for (const scenario of foreignScenarios(plan, CLIENTS)) {
    row(`${CLIENTS} × ${scenario.name}`, await simulate(product, scenario, inOneProcess(product)));
  }
  await tableOfProcesses(plan);
}

table('petstore, free: misleading headers, 5 minutes');
for (const trap of Object.values(traps('free'))) {
  row(trap.name, await simulate(product, trap, inOneProcess(product)));
}

for (const clients of [1, CLIENTS]) {
  const processes = clients === 1 ? '1 process' : `${clients} processes`;
  const scenario = { ...steadyOverload('free', clients), minutes: MINUTES };
  table(`comparison, 60 per minute and 1,000 per day, ${MINUTES} minutes of overload, ${processes}`);
  row('petstore, nothing shared', await simulate(product, scenario, apart(product)), clients === 1);
  if (clients > 1) row('petstore, file gate', await simulateOver(scenario, 0), true);
  for (const [name, peer] of Object.entries(PEERS)) await rowOfPeer(name, peer, scenario);
}

for (const kind of ZOO) {
  currentTitle = `${kind.name} ${kind.version}, 60 per minute: 150 calls at once`;
  console.log(`\n${currentTitle}`);
  await rowOnLimiter('petstore', kind, () => ({ open: inOneProcess(product).open }));
  for (const name of LIMITER_PEERS) {
    const { packages, open } = PEERS[name];
    const modules = await Promise.all(packages.map(load));
    await rowOnLimiter(name, kind, (clock) => ({
      open: (environment) => open({ environment, perMinute: 60, modules }),
      end: replaceGlobalClock(clock, seededRandom(1)),
    }));
  }
}

async function rowOnLimiter(name, kind, openOn) {
  const { calls, served, rejected, seconds, idealSeconds } = await runOnLimiter(simulation, kind, openOn);
  const time = `${seconds.toFixed(0)} s (ideal ${idealSeconds.toFixed(0)} s)`;
  const value = `${served} of ${calls} calls, ${rejected} × ${kind.rejection.status}, ${time}`;
  report({ title: currentTitle, name, value });
  console.log(`  ${name.padEnd(46)}${value}`);
}

async function tableOfProcesses(plan) {
  const everyday = [...everydayScenarios(plan, CLIENTS), deathScenario(plan, CLIENTS)];
  for (const [gate, latencyMs] of [
    ['file gate', 0],
    ['network gate', 1],
  ]) {
    table(`petstore, ${plan}: ${CLIENTS} processes, ${gate}`);
    for (const scenario of everyday) row(scenario.name, await simulateOver(scenario, latencyMs), true);
    for (const scenario of foreignScenarios(plan, CLIENTS)) {
      row(scenario.name, await simulateOver(scenario, latencyMs));
    }
  }
  table(`petstore, ${plan}: ${CLIENTS} processes, nothing shared`);
  const scenario = steadyOverload(plan, CLIENTS);
  row(scenario.name, await simulate(product, scenario, apart(product)));
}

function simulateOver(scenario, latencyMs) {
  const clock = createVirtualClock(scenario.startAt);
  return simulate(product, scenario, withStorage(product, clock, latencyMs), clock);
}

async function rowOfPeer(name, { packages, open }, scenario) {
  const modules = await Promise.all(packages.map(load));
  const clock = createVirtualClock(scenario.startAt);
  const restore = replaceGlobalClock(clock, seededRandom(1));
  try {
    const candidate = {
      name,
      clients: 'apart',
      open: (environment) => open({ environment, perMinute: 60, modules }),
    };
    row(name, await simulate(product, scenario, candidate, clock));
  } finally {
    restore();
  }
}

/**
 * Prints a title and the columns:
 *
 * - used share of the quota, in minutes with work left
 * - avoidable 429 responses, those caused by other users, and bans
 * - requests sent before a Retry-After
 * - fewest calls of a client divided by the most, longest call, failed calls
 */
function table(title) {
  currentTitle = title;
  console.log(`\n${title}`);
  line('', ['used', '429 own', 'others', 'bans', 'early', 'fair', 'longest', 'failed']);
}

/** @param {boolean} hasBar whether the figures must reach the bar: 98 % used, no 429, nothing early. */
function row(name, figures, hasBar = false) {
  const { rateLimited, bans, early, used, fairness, longestMs, failures } = figures;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const isReached =
    used >= USED_BAR && rateLimited.ours + rateLimited.race + rateLimited.uninformed + early + bans === 0;
  const goal = hasBar ? { bar: `≥ ${100 * USED_BAR} % used, 0 × 429`, met: isReached } : {};
  const percent = `${(100 * used).toFixed(1)} %`;
  const refused = rateLimited.ours + rateLimited.uninformed;
  const value = `${percent} used, ${refused} × 429, ${bans === 1 ? '1 ban' : `${bans} bans`}`;
  report({ title: currentTitle, name, value, ...goal });
  const cells = [
    percent,
    refused,
    rateLimited.race,
    bans,
    early,
    fairness.toFixed(2),
    `${Math.round(longestMs / 1000)} s`,
    failed,
  ];
  line(name, cells, verdict(goal));
}

function line(name, cells, end = '') {
  const texts = cells.map((cell) => String(cell).padStart(8));
  console.log(`  ${name.padEnd(46)}${texts.join('')}${end}`.trimEnd());
}

/** Bundles the simulation of the tests, which is TypeScript. The product is passed in. */
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
