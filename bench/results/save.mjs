// Keeps the results of benchmarks as JSON, and writes RESULTS.md from them.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderResults } from './render.mjs';

const SPEED_FILE = fileURLToPath(new URL('speed.json', import.meta.url));
/** What docs/comparison.md shows. */
const CLIENTS_FILE = fileURLToPath(new URL('clients.json', import.meta.url));
const REASONS_FILE = fileURLToPath(new URL('missed-bars.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../RESULTS.md', import.meta.url));

/** Run on a virtual clock, so the machine does not matter. */
const SIMULATED = new Set(['pacing']);

/**
 * Replaces the results of one benchmark on one Node. Times that another machine has measured are dropped.
 *
 * @param {{ name: string, node: string, rows: object[], peers: Record<string, string>, clients?: object }} result
 */
export async function saveResults({ clients, ...result }) {
  const date = new Date().toISOString().slice(0, 10);
  if (clients === undefined) await saveSpeed({ ...result, date });
  else await writeFormatted(CLIENTS_FILE, JSON.stringify({ date, node: result.node, ...clients }), 'json');
}

async function saveSpeed(run) {
  const here = describeMachine();
  const before = await readJson(SPEED_FILE, { machine: here, runs: [] });
  const machine = SIMULATED.has(run.name) ? before.machine : here;
  const isSame = JSON.stringify(before.machine) === JSON.stringify(machine);
  const isKept = ({ name, node }) =>
    (isSame || SIMULATED.has(name)) && (name !== run.name || major(node) !== major(run.node));
  const results = { machine, runs: [...before.runs.filter(isKept), run] };
  await writeFormatted(SPEED_FILE, JSON.stringify(results), 'json');
  const page = renderResults(results, await readJson(REASONS_FILE, []));
  await writeFormatted(PAGE, page, 'markdown');
}

function describeMachine() {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const processors = cpus();
  return {
    processor: processors[0].model.trim(),
    cores: processors.length,
    memory: `${gigabytes} GiB`,
    system: type(),
  };
}

function major(version) {
  return version.split('.')[0];
}

async function readJson(path, otherwise) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return otherwise;
  }
}

async function writeFormatted(path, text, parser) {
  await writeFile(path, await format(text, { ...(await resolveConfig(path)), parser }));
}
