// Imports of 10,000 rows as whole processes, into the mock without limits. One is the command with its journal and the
// file gate, and one the shortest loop that is as safe. The others are loops that users write: a crash loses their place.
import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeImportFile } from './import-file.mjs';
import { compare, processMs, startServer } from './measure.mjs';
import { installPeers } from './peers/install.mjs';

const ROWS = 10_000;
/** The default of the command. */
const CONCURRENCY = 8;
const ROUNDS = 5;
const apiKey = 'bench';
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

/** The loops, each in a process of its own. */
const LOOPS = {
  undici: sendJournaled,
  'p-queue with axios': sendQueued,
  'bottleneck with axios': sendLimited,
};

const [, script, loop, path, baseUrl] = process.argv;
if (script === fileURLToPath(import.meta.url)) await LOOPS[loop](await readRows(path), baseUrl);

/** Compares the command with the loops. Prints a row for each. */
export async function compareImports() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const server = await startServer('server.mjs', 'mock');
  const { versions } = await installPeers('import');
  const csv = join(folder, 'pets.csv');
  await writeImportFile(csv, ROWS);
  let count = 0;
  const env = {
    PETSTORE_BASE_URL: server.baseUrl,
    PETSTORE_API_KEY: apiKey,
    PETSTORE_STATE_DIR: join(folder, 'state'),
    PETSTORE_CONFIG_DIR: join(folder, 'config'),
  };
  const rate = (ms) => (1_000 * ROWS) / ms;
  const loopRate = (name) => rate(processMs([fileURLToPath(import.meta.url), name, csv, server.baseUrl]));
  const command = () => {
    const journal = join(folder, `${String((count += 1))}.journal`);
    return rate(processMs(['bin/petstore.cjs', 'pets', 'import', csv, '--journal', journal, '-q'], env));
  };
  try {
    await compare(
      `import of ${ROWS} rows, ${CONCURRENCY} at a time: rows/s of the whole process, ratio to a loop with a journal`,
      [
        { name: 'undici, each row on disk before it is sent', measure: () => loopRate('undici') },
        { name: 'petstore pets import', measure: command, bar: 0.5 },
        ...['p-queue with axios', 'bottleneck with axios'].map((name) => ({
          name: `${name}, no journal (${versions[name.split(' ')[0]]})`,
          measure: () => loopRate(name),
        })),
      ],
      { rounds: ROUNDS, better: 'more' },
    );
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function readRows(path) {
  const [, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const [name, categoryId, status] = line.split(',');
    return { name, categoryId: Number(categoryId), status };
  });
}

/** Rows that become ready during a sync are written together. */
async function sendJournaled(rows, baseUrl) {
  const { Pool } = await import('undici');
  const file = await open(`${path}.${process.pid}.log`, 'ax');
  let queue = [];
  let next;
  let last = Promise.resolve();
  const write = async () => {
    const text = queue.join('');
    [queue, next] = [[], undefined];
    await file.write(text);
    await file.datasync();
  };
  const append = (line) => {
    queue.push(`${line}\n`);
    return (next ??= last = last.then(write));
  };
  const { origin, pathname } = new URL(`${baseUrl}/pets`);
  const pool = new Pool(origin, { connections: CONCURRENCY });
  const source = rows.entries();
  const work = async () => {
    for (const [row, pet] of source) {
      await append(`sent ${row}`);
      const body = JSON.stringify(pet);
      const response = await pool.request({ method: 'POST', path: pathname, headers, body });
      if (response.statusCode >= 300) throw new Error(`status ${response.statusCode}`);
      const { id } = await response.body.json();
      void append(`created ${row} ${id}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await last;
  await file.close();
  await pool.close();
}

async function sendQueued(rows, baseUrl) {
  const { load } = await installPeers('import');
  const [{ default: PQueue }, { default: axios }] = [await load('p-queue'), await load('axios')];
  const queue = new PQueue({ concurrency: CONCURRENCY });
  await queue.addAll(rows.map((pet) => () => axios.post(`${baseUrl}/pets`, pet, { headers })));
}

async function sendLimited(rows, baseUrl) {
  const { load } = await installPeers('import');
  const [{ default: Bottleneck }, { default: axios }] = [await load('bottleneck'), await load('axios')];
  const limiter = new Bottleneck({ maxConcurrent: CONCURRENCY });
  const post = limiter.wrap((pet) => axios.post(`${baseUrl}/pets`, pet, { headers }));
  await Promise.all(rows.map((pet) => post(pet)));
}
