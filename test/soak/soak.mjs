// `npm run soak [-- SECONDS]`: the command, the library and imports against a mock for ten minutes, with faults, killed
// processes, jumps of the clock and a full disk. Checks that
// - each pet that a client reports as created is in the mock once, and no other except those of unknown outcome,
// - no request is sent that the known budget forbids: a 429 occurs only after a kill, and in a minute at most one for each,
// - the library leaks no handle and no memory, and only documented exit codes occur.
// Shows its seed; PETSTORE_TEST_SEED repeats the choices, but not the times at which processes run. Other tests check that
// a client respects Retry-After: the mock can't know which of these processes has received one.
import { fork, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from 'petstore/mock';
import { seededRandom } from '../support/seeded-random.cjs';

const SECONDS = Number(process.argv[2] ?? 600);
if (!(SECONDS > 0)) {
  console.error('Usage: npm run soak [-- SECONDS]');
  process.exit(process.argv[2] === '--help' ? 0 : 2);
}
const SEED = Number(process.env.PETSTORE_TEST_SEED || Math.floor(Math.random() * 2 ** 31));
/** The window of the rate limit. */
const WINDOW_MS = 60_000;
const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'bin/petstore.cjs');
const KEY = 'mock-key';
const ROWS = 120;
const FAULTS = [
  [],
  [],
  ['flaky'],
  ['slow:ms=300'],
  ['lost-write'],
  ['garbage'],
  ['outage'],
  [{ action: 'reset', probability: 0.2 }],
];

const folder = mkdtempSync(join(tmpdir(), 'petstore-soak-'));
const problems = new Set();
const counts = { requests: 0, limited: 0, commands: 0, kills: 0, imports: 0, fullDisks: 0, library: 0 };
/** Names that were created, and those of unknown outcome. All others must not be in the mock. */
const ledger = { created: new Set(), unknown: new Set() };
const check = (isMet, problem) => isMet || problems.add(problem);
const oneOf = (random, values) => values[Math.floor(random() * values.length)];
/** When processes were killed and when a 429 came that no fault caused, in the last window. */
const recent = { kills: [], limited: [] };

const mock = createMock({
  keys: [KEY],
  plan: 'business',
  pets: 0,
  onRequest({ status, fault }) {
    counts.requests += 1;
    if (status === 429 && fault === undefined) checkLimited();
  },
});
const server = await mock.listen();
const env = {
  PATH: process.env.PATH,
  PETSTORE_BASE_URL: server.baseUrl,
  PETSTORE_API_KEY: KEY,
  PETSTORE_CONFIG_DIR: join(folder, 'config'),
  PETSTORE_STATE_DIR: join(folder, 'state'),
};
const endsAt = performance.now() + SECONDS * 1_000;
const isOver = () => performance.now() >= endsAt;

try {
  console.log(`soak: ${SECONDS} s, PETSTORE_TEST_SEED=${SEED}`);
  const library = startLibrary();
  await Promise.all([changeFaults(), runCommands(), runImports(), fillDisks(), sleep(SECONDS * 1_000)]);
  mock.setFaults([]);
  await library.stop();
  checkLedger();
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
);
console.log(`pets: ${ledger.created.size} created, ${ledger.unknown.size} of unknown outcome`);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(problems.size === 0 ? 'soak: ok' : `soak: ${problems.size} problems`);
process.exitCode = problems.size === 0 ? 0 : 1;

/** The other processes can't know of requests that a killed one has just sent. */
function checkLimited() {
  counts.limited += 1;
  const now = performance.now();
  recent.limited.push(now);
  for (const name of ['kills', 'limited']) recent[name] = recent[name].filter((at) => at > now - WINDOW_MS);
  const [limited, kills] = [recent.limited.length, recent.kills.length];
  check(limited <= kills, `${limited} responses of 429 in a minute with ${kills} killed processes`);
}

async function changeFaults() {
  const random = seededRandom(SEED);
  while (!isOver()) {
    mock.setFaults(oneOf(random, FAULTS));
    await sleep(500 + random() * 2_000);
  }
  mock.setFaults([]);
}

/** Runs a command. With `killAfterMs`, kills it. Its clock may be wrong. */
function run(random, args, { cwd = folder, killAfterMs, gate = 'file' } = {}) {
  const preload = random() < 0.5 ? ['-r', join(import.meta.dirname, 'clock-jump.cjs')] : [];
  const child = spawn(process.execPath, [...preload, COMMAND, ...args], {
    cwd,
    env: { ...env, PETSTORE_GATE: gate, SOAK_SEED: String(Math.floor(random() * 2 ** 31)) },
  });
  const kill = () => {
    if (child.kill('SIGKILL')) recent.kills.push(performance.now());
  };
  const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  return collect(child).then((result) => {
    clearTimeout(timer);
    counts.commands += 1;
    if (result.signal !== null) counts.kills += 1;
    const text = `petstore ${args.join(' ')}: exit code ${result.status}: ${result.stderr.slice(0, 300)}`;
    check(result.signal !== null || [0, 1, 6, 7, 10].includes(result.status), text);
    check(!/\n +at .*:\d+:\d+/.test(result.stderr), `stack trace: ${text}`);
    check(!result.stderr.includes(KEY), `the key is on stderr: ${text}`);
    return result;
  });
}

function collect(child) {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.once('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

async function runCommands() {
  const random = seededRandom(SEED + 1);
  for (let number = 1; !isOver(); number += 1) {
    const killAfterMs = random() < 0.15 ? random() * 400 : undefined;
    if (random() < 0.5) {
      const reads = [['pets', 'list'], ['limits'], ['pets', 'export'], ['api', '/pets'], ['doctor']];
      await run(random, oneOf(random, reads), { killAfterMs });
      continue;
    }
    const name = `command-${number}`;
    const { status, signal } = await run(random, ['pets', 'create', '--name', name, '--category', '7'], {
      killAfterMs,
    });
    if (signal !== null || status === 10) ledger.unknown.add(name);
    else if (status === 0) ledger.created.add(name);
    await sleep(random() * 300);
  }
}

/** Imports files. Each is killed at any time and resumed until all rows are done. */
async function runImports() {
  const random = seededRandom(SEED + 2);
  const args = ['pets', 'import', 'pets.csv', '--yes', '--json', '--concurrency', '8'];
  // A kill before the first row leaves no journal, or an empty one.
  const resumed = (cwd) => [
    ...args,
    ...(isFilled(join(cwd, 'pets.csv.journal')) ? ['--resume'] : []),
    ...['--on-unknown', 'skip'],
  ];
  while (!isOver()) {
    const cwd = makeRows(`import-${(counts.imports += 1)}`);
    let result = await run(random, args, { cwd, killAfterMs: 200 + random() * 2_500 });
    while (!isOver() && !addImport(cwd, result)) {
      const killAfterMs = random() < 0.4 ? undefined : 200 + random() * 2_500;
      result = await run(random, resumed(cwd), {
        cwd,
        killAfterMs: killAfterMs ?? endsAt - performance.now(),
      });
    }
    if (addImport(cwd, result)) continue;
    // Does not know that the limit is used up.
    mock.setFaults([]);
    mock.advance('until-reset');
    check(addImport(cwd, await run(random, resumed(cwd), { cwd, gate: 'memory' })), 'an import does not end');
  }
}

function isFilled(file) {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function makeRows(name) {
  const cwd = join(folder, name);
  const rows = Array.from({ length: ROWS }, (_, row) => `${name}-${row + 1},7\n`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'pets.csv'), `name,categoryId\n${rows.join('')}`);
  return cwd;
}

/** Adds the rows of an import that is complete. Returns whether it is. */
function addImport(cwd, { signal, stdout, stderr }) {
  if (signal !== null || stdout === '') return false;
  const { created, alreadyDone, rejected, unknown, left, unknownRows } = JSON.parse(stdout);
  if (left > 0) return false;
  const total = created + alreadyDone + rejected + unknown;
  check(total === ROWS, `import of ${ROWS} rows reports ${total}: ${stderr.slice(0, 300)}`);
  check(rejected === 0, `import reports ${rejected} rejected rows`);
  const name = cwd.split('/').at(-1);
  const names = Array.from({ length: ROWS }, (_, row) => `${name}-${row + 1}`);
  // The report lists the first 100.
  const lost = new Set(unknown > unknownRows.length ? names : unknownRows.map((row) => row.name));
  for (const each of names) (lost.has(each) ? ledger.unknown : ledger.created).add(each);
  return true;
}

/** Imports onto a disk of 64 kB that is full, then frees it. It needs a mount namespace, so that nobody else sees it. */
async function fillDisks() {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  if (status !== 0) {
    console.log('full disk: skipped, because this user can not mount');
    return;
  }
  const random = seededRandom(SEED + 3);
  while (!isOver()) {
    const cwd = makeRows(`disk-${(counts.fullDisks += 1)}`);
    const disk = join(cwd, 'disk');
    mkdirSync(disk);
    const petstore = `"${process.execPath}" "${COMMAND}" pets import pets.csv --yes --json --concurrency 4`;
    const script = `mount -t tmpfs -o size=64k none "${disk}" && cp pets.csv "${disk}" && cd "${disk}" || exit 1
      dd if=/dev/zero of=filler bs=1k count=${Math.floor(44 + random() * 12)} 2>/dev/null
      ${petstore} >/dev/null
      rm -f filler
      for attempt in 1 2 3 4 5 6 7 8 9; do
        resume=; [ -s pets.csv.journal ] && resume=--resume
        ${petstore} $resume --on-unknown skip >out; grep -q '"left":0' out && break; done; cat out`;
    const result = await collect(spawn('unshare', ['--mount', 'sh', '-c', script], { cwd, env }));
    // After an outage of nine attempts the rows are of unknown outcome.
    if (!addImport(cwd, result))
      for (let row = 1; row <= ROWS; row += 1) ledger.unknown.add(`disk-${counts.fullDisks}-${row}`);
    check(
      !/\n +at .*:\d+:\d+/.test(result.stderr),
      `stack trace on a full disk: ${result.stderr.slice(0, 300)}`,
    );
    await sleep(2_000);
  }
}

function startLibrary() {
  const directory = join(folder, 'state');
  const child = fork(
    join(import.meta.dirname, 'library-worker.mjs'),
    [server.baseUrl, directory, String(SEED + 4)],
    {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env.PATH },
    },
  );
  const heap = [];
  let handles;
  child.on('message', (message) => {
    if (message.name !== undefined) counts.library += 1;
    if (message.outcome === 'created') ledger.created.add(message.name);
    else if (message.outcome === 'unknown') ledger.unknown.add(message.name);
    else check(message.outcome !== 'untyped', `the library throws ${message.error}`);
    check(message.untyped === undefined, `the library throws ${message.untyped}`);
    if (message.heapBytes !== undefined) heap.push(message.heapBytes);
    handles ??= message.handles;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    async stop() {
      child.send('stop');
      const status = await ended;
      check(status === 0, `the program with the library ended with ${status}`);
      const open = handles?.filter((name) => !/^(Pipe|TTY)/.test(name));
      check(open?.length === 0, `open handles after close(): ${open}`);
      // The first quarter fills caches.
      const steady = heap.slice(heap.length >> 2);
      const [first, second] = [steady.slice(0, steady.length >> 1), steady.slice(steady.length >> 1)].map(
        median,
      );
      console.log(
        `heap of the library: ${megabytes(first)} MB in the first half, ${megabytes(second)} MB in the second`,
      );
      check(second < first * 1.1 + 1e6, `the heap grows from ${megabytes(first)} to ${megabytes(second)} MB`);
    },
  };
}

function checkLedger() {
  const inMock = new Map();
  for (const { name } of mock.forKey(KEY).pets.list()) inMock.set(name, (inMock.get(name) ?? 0) + 1);
  for (const [name, count] of inMock) {
    check(count === 1, `${name} is in the mock ${count} times`);
    check(ledger.created.has(name) || ledger.unknown.has(name), `${name} is in the mock, but not reported`);
  }
  for (const name of ledger.created)
    check(inMock.has(name), `${name} is reported as created, but not in the mock`);
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
