// `petstore pets import` into `petstore mock --plan unlimited`: memory, time and CPU time of each tenth. Five kills with
// SIGKILL are at random rows. Then the pets in the mock are compared with the rows, and exported. Linux only.
// With few rows, first the speed of 10,000 rows next to other ways to send them.
// `node bench/import.mjs ROWS`; a million rows, the default, take half an hour.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeImportFile } from './import-file.mjs';
import { compareImports } from './import-speed.mjs';
import { cleanEnv, report, ROOT, verdict } from './measure.mjs';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const STEP = Math.min(100_000, ROWS / 10);
/** Maximum memory of each command. */
const MEMORY_MAX_MB = 150;
const KILLS = 5;
/** Time limit of the mock's start. */
const START_MAX_MS = 30_000;
/** Time of the last step, divided by that of the first, at most. */
const STEP_RATIO_MAX = 1.5;
const TITLE = `petstore pets import of ${ROWS} rows, killed ${KILLS} times, into the mock`;
/** Pets that are read from the mock at once. */
const PAGE = 50_000;

if (ROWS <= 100_000) await compareImports();
if (process.platform === 'linux') await measure();
else console.log('\nimport by the command (skipped: memory is read from /proc)');

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const running = new Set();
  try {
    await writeImportFile(join(folder, 'pets.csv'), ROWS);
    const mock = await startMock(folder, running);
    console.log(`\n${TITLE}`);
    console.log('               rows    s/step  CPU s/step  RSS max MB');
    const args = ['pets', 'import', 'pets.csv', '--yes', '--json'];
    const killsAt = Array.from({ length: KILLS }, () => Math.floor(Math.random() * ROWS)).sort(
      (a, b) => a - b,
    );
    const runs = [];
    for (const killAt of [...killsAt, Infinity]) {
      const resume = runs.length === 0 ? [] : ['--resume', '--on-unknown', 'skip'];
      runs.push(
        await runImport(`import ${runs.length + 1}`, [...args, ...resume], { folder, mock, running, killAt }),
      );
      if (killAt < Infinity) console.log(`  killed with SIGKILL; the mock has ${await mock.count()} pets`);
    }
    const mockMb = mock.memoryMb();
    await compare(JSON.parse(runs.at(-1).stdout), mock);
    const exported = await runCommand(['pets', 'export', '--allow-incomplete', '--out', 'all.csv'], {
      folder,
      mock,
      running,
      // It takes less than 200 ms.
      sampleMs: 20,
    });
    printRow('export', [await mock.count(), exported.seconds, exported.cpuSeconds], exported.memoryMb);
    reportAll(runs, exported);
    console.log(`  memory of the mock: ${mockMb.toFixed(0)} MB with all pets`);
  } finally {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function startMock(folder, running) {
  const ready = join(folder, 'ready.json');
  const args = ['mock', '--port', '0', '--plan', 'unlimited', '--pets', '0', '-q', '--ready-file', ready];
  const child = start(args, folder, {}, running);
  const deadline = performance.now() + START_MAX_MS;
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`the mock ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`the mock did not start within ${START_MAX_MS} ms`);
    await sleep(50);
  }
  const { url, baseUrl, keys } = JSON.parse(readFileSync(ready, 'utf8'));
  const control = async (path) => {
    const headers = { authorization: `Bearer ${keys[0]}` };
    return (await fetch(`${url}/__mock/${path}`, { headers })).json();
  };
  return {
    env: { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: keys[0] },
    count: async () => (await control('state')).tenants[0].pets,
    pets: async (offset) => (await control(`pets?offset=${offset}&limit=${PAGE}`)).pets,
    memoryMb: () => memoryMb(child.pid),
  };
}

/** Runs an import, and prints a line for each step of rows in the mock. */
async function runImport(name, args, { folder, mock, running, killAt = Infinity }) {
  let [rows, seconds, cpuSeconds] = [await mock.count(), 0, 0];
  const steps = [];
  const result = await runCommand(args, {
    folder,
    mock,
    running,
    async onSample(sample) {
      const count = await mock.count();
      if (count < rows + STEP && count < ROWS) return count >= killAt;
      const perStep = STEP / (count - rows);
      const figures = [(sample.seconds - seconds) * perStep, (sample.cpuSeconds - cpuSeconds) * perStep];
      steps.push(figures[0]);
      printRow(name, [count, ...figures], sample.memoryMb);
      [rows, seconds, cpuSeconds] = [count, sample.seconds, sample.cpuSeconds];
      return count >= killAt;
    },
  });
  printRow(`${name}, all`, [await mock.count(), result.seconds, result.cpuSeconds], result.memoryMb);
  return { ...result, steps };
}

function printRow(name, [rows, seconds, cpuSeconds], memory) {
  const figures = [seconds.toFixed(1).padStart(9), cpuSeconds.toFixed(1).padStart(11)];
  const end = `${memory.toFixed(0).padStart(11)}${verdict(memoryGoal(memory))}`;
  console.log(`  ${name.padEnd(11)} ${String(rows).padStart(7)} ${figures.join(' ')} ${end}`);
}

function reportAll(runs, exported) {
  const imports = {
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    memoryMb: Math.max(...runs.map(({ memoryMb }) => memoryMb)),
  };
  const rate = Math.round(ROWS / imports.seconds);
  for (const [name, { memoryMb, seconds }] of Object.entries({ imports, export: exported })) {
    const value = `${Math.round(memoryMb)} MB, ${seconds.toFixed(1)} s`;
    report({ title: TITLE, name, value, ...memoryGoal(memoryMb) });
  }
  report({ title: TITLE, name: 'all imports', value: `${rate} rows/s` });
  const steps = runs.flatMap((run) => run.steps);
  const ratio = steps.at(-1) / steps[0];
  const goal = { bar: `≤ ${STEP_RATIO_MAX}`, met: ratio <= STEP_RATIO_MAX };
  report({
    title: TITLE,
    name: 'time of the last tenth to the first',
    value: Number(ratio.toFixed(2)),
    ...goal,
  });
  console.log(`  ${rate} rows/s; time of the last tenth to the first ${ratio.toFixed(2)}${verdict(goal)}`);
}

function memoryGoal(memoryMb) {
  return { bar: `≤ ${MEMORY_MAX_MB} MB`, met: memoryMb <= MEMORY_MAX_MB };
}

/** Runs a command of petstore. Kills it when `onSample` returns true. */
async function runCommand(args, { folder, mock, running, sampleMs = 200, onSample = () => false }) {
  const startedAt = performance.now();
  const child = start(args, folder, mock.env, running);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  let ended = false;
  const end = new Promise((resolve) => child.once('close', resolve)).then((status) => {
    ended = true;
    return status;
  });
  let sample = { seconds: 0, cpuSeconds: 0, memoryMb: 0 };
  let isKilled = false;
  while (!ended) {
    await Promise.race([end, sleep(sampleMs)]);
    const read = readSample(child.pid);
    if (read === undefined) continue;
    sample = { ...read, seconds: (performance.now() - startedAt) / 1_000 };
    if (isKilled || !(await onSample(sample))) continue;
    isKilled = true;
    child.kill('SIGKILL');
  }
  const status = await end;
  // 10: some rows are of unknown outcome.
  if (!isKilled && status !== 0 && status !== 10)
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { ...sample, stdout };
}

function start(args, folder, env, running) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/petstore.cjs'), ...args], {
    cwd: folder,
    env: cleanEnv({
      ...env,
      PETSTORE_STATE_DIR: join(folder, 'state'),
      PETSTORE_CONFIG_DIR: join(folder, 'config'),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** The peak of the memory and the CPU time so far; `undefined` after the end. */
function readSample(pid) {
  try {
    const memory = memoryMb(pid);
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    // In ticks, of which Linux reports 100 per second.
    return { memoryMb: memory, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
  } catch {
    return undefined;
  }
}

function memoryMb(pid) {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(peak[1]) / 1_024;
}

/** Compares the pets in the mock with the rows. Each row has one pet; a row of unknown outcome has one or none. */
async function compare({ created, alreadyDone, unknown, unknownRows }, mock) {
  const seen = new Uint8Array(ROWS + 1);
  const count = await mock.count();
  for (let offset = 0; offset < count; offset += PAGE)
    for (const { name } of await mock.pets(offset)) seen[Number(name.slice(4))] += 1;
  const isUnknown = new Set(unknownRows.map(({ row }) => row));
  let [missing, twice] = [0, 0];
  for (let row = 1; row <= ROWS; row += 1) {
    if (seen[row] > 1) twice += 1;
    if (seen[row] === 0 && !isUnknown.has(row)) missing += 1;
  }
  const total = created + alreadyDone + unknown;
  const isMet = missing === 0 && twice === 0 && total === ROWS && isUnknown.size === unknown;
  const value = `${twice} twice, ${missing} missing, ${unknown} unknown`;
  report({ title: TITLE, name: 'pets in the mock', value, bar: '0 twice, 0 missing', met: isMet });
  console.log(
    `  rows: ${alreadyDone} created before the last kill, ${created} after it, ${unknown} unknown, ${total} in all`,
  );
  console.log(`  pets: ${count} in the mock, ${twice} twice, ${missing} missing  ${isMet ? 'ok' : 'MISSED'}`);
}
