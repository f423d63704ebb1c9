// Compares what clients of HTTP services do with limits, lost connections and broken responses. `npm run bench clients`.
// Each client runs in a process of its own, against servers on loopback.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ADAPTERS } from './clients/adapters.mjs';
import { FACTS, factsOf } from './clients/facts.mjs';
import { PROBES, realTime, runProbe } from './clients/probes.mjs';
import { cleanEnv, ROOT } from './measure.mjs';
import { installPeers } from './peers/install.mjs';

/** Time limit of the probes of one client. */
const LIMIT_MS = 120_000;
/** Clients that are probed at once. Most of the time, all wait. */
const AT_ONCE = 5;
const NAMES = Object.keys(ADAPTERS);

const [, , role, name] = process.argv;
if (role === 'probe') await probeClient(name);
else await compareClients(role === undefined ? NAMES : process.argv.slice(2));

async function compareClients(names) {
  const { folder, versions } = await installPeers('clients');
  const startedAt = performance.now();
  const cells = Object.fromEntries(names.map((name) => [name, {}]));
  const left = [...names];
  const probeNext = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      Object.assign(cells[name], await runChild(name, 'together'));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, probeNext));
  // The rest needs the machine for itself.
  for (const name of names) {
    Object.assign(cells[name], await runChild(name, 'alone'));
    const at = name === 'petstore' ? ROOT : folder;
    Object.assign(cells[name], await factsOf(name, at));
  }
  const rows = [...PROBES, ...FACTS].map(({ id, title, want }) => ({ id, title, want }));
  const clients = names.map((name) => ({ name, versions: versionsOf(name, versions), cells: cells[name] }));
  print(rows, clients);
  console.log(`\n${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const ours = clients.find(({ name }) => name === 'petstore');
  if (ours !== undefined && PROBES.some(({ id }) => ours.cells[id].good !== true)) process.exitCode = 1;
  process.send?.({ clients: { rows, clients } });
}

function versionsOf(name, versions) {
  return ADAPTERS[name].packages.flatMap((name) => (name in versions ? [`${name} ${versions[name]}`] : []));
}

/** Runs probes in a child, and kills it at the time limit. */
function runChild(name, group) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'probe', name, group], {
    // Some clients set timers that are too long, about which Node warns.
    env: cleanEnv({ NODE_NO_WARNINGS: '1' }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('message', ({ cells }) => {
      if (cells === undefined) return;
      clearTimeout(timer);
      resolve(cells);
      child.kill('SIGKILL');
    });
    child.once('exit', () => reject(new Error(`the probes of ${name} ended without a result`)));
  });
}

async function probeClient(name) {
  const adapter = ADAPTERS[name];
  // Some clients reject promises that nobody waits for.
  process.on('unhandledRejection', () => {});
  const { load } = name === 'petstore' ? { load: (name) => import(name) } : await installPeers('clients');
  const modules = await Promise.all(adapter.packages.map(load));
  const open = (settings) => adapter.open(modules, settings);
  const isAlone = process.argv[4] === 'alone';
  const probes = PROBES.filter(({ alone = false }) => alone === isAlone);
  const cells = await Promise.all(
    probes.map(async (probe) => [probe.id, await runProbe(probe, adapter, open, realTime())]),
  );
  process.send({ cells: Object.fromEntries(cells) });
}

function print(rows, clients) {
  for (const { id, title, want } of rows) {
    console.log(`\n${title}${want === '' ? '' : ` (${want})`}`);
    for (const { name, cells } of clients) {
      const { text, good } = cells[id];
      const mark = good === null ? ' ' : good ? '+' : '-';
      console.log(`  ${mark} ${name.padEnd(14)} ${text}`);
    }
  }
}
