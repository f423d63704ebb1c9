/**
 * `npm run mutation [-- [--every N] PATH...]` changes the code of a folder or file of src, in one place at a time. It runs
 * the tests that reach this place. A change that no test notices has survived. Prints the figures, and writes the survivors
 * to a file.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeMutants } from './mutants.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const FOLDERS = ['client/call', 'client/gate', 'bulk/journal', 'domain/diagnose', 'cli/output'];
const PROCESSES = 2;
/** Tests of other files than that of the mutant run for this time at most, fast files first. */
const OTHER_TESTS_MAX_MS = 8_000;
/** A mutant of code that runs once, at the import, needs new modules: it runs with so many files. */
const RESET_FILES_MAX = 5;
/** A process without a result for this time hangs. */
const SILENCE_MAX_MS = 30_000;

const running = new Set();
const endAll = () => running.forEach((pid) => process.kill(-pid, 'SIGKILL'));
process.on('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const { values, positionals } = parseArgs({ options: { every: { type: 'string' } }, allowPositionals: true });
/** Runs one of so many mutants. */
const every = Number(values.every ?? 1);
for (const path of positionals.length > 0 ? positionals : FOLDERS) await runPath(path);

async function runPath(target) {
  const work = mkdtempSync(join(tmpdir(), 'petstore-mutation-'));
  const firstIds = {};
  const mutants = [];
  for (const path of filesBelow(`src/${target}`)) {
    firstIds[path] = mutants.length;
    mutants.push(...makeMutants(path, readFileSync(path, 'utf8'), mutants.length).mutants);
  }
  const tests = filesBelow(`test/${target.split('/')[0]}`).filter((path) => path.endsWith('.test.ts'));
  const plan = { firstIds, mutantCount: mutants.length, tests };
  console.log(`${target}: ${mutants.length} mutants, ${tests.length} test files, log in ${work}`);
  const coverage = join(work, 'coverage.jsonl');
  await runVitest(work, 'coverage', { ...plan, output: coverage });
  const covered = readLines(coverage);
  if (covered.length === 0) throw new Error(`vitest ran no tests, see ${work}`);
  const orders = mutants.map((mutant, id) => orderOf(mutant, id, covered));
  const shares = Array.from({ length: PROCESSES }, (_, share) =>
    orders.filter(
      ({ id, files }) => files.length > 0 && id % every === 0 && (id / every) % PROCESSES === share,
    ),
  );
  await Promise.all(shares.map((share, index) => runShare(work, `share-${index}`, plan, share)));
  report(work, mutants);
}

/** Returns which tests run for a mutant, by file. */
function orderOf({ at }, id, covered) {
  const timesIn = (reached) => reached.find(([other]) => other === id)?.[1] ?? 0;
  const filesFor = (isReset) =>
    covered.flatMap(({ file, loading, hooks, tests }) => {
      const inAll = timesIn(isReset ? loading : hooks);
      const chosen = tests.filter(({ reached }) => inAll > 0 || (!isReset && timesIn(reached) > 0));
      if (chosen.length === 0) return [];
      const durationMs = chosen.reduce((sum, test) => sum + test.durationMs, 0);
      const limits = chosen.map((test) => [test.id, Math.ceil(1_000 + 5 * test.durationMs)]);
      return [{ file, isReset, durationMs, tests: limits }];
    });
  const own = at.split(':')[0].replace('src/', 'test/').replace('.ts', '.test.ts');
  // Tests of a folder above, such as those of the whole client, notice more than those of another part.
  const distance = ({ file }) => (file === own ? 0 : own.startsWith(`${dirname(file)}/`) ? 1 : 2);
  const nearest = (one, other) => distance(one) - distance(other) || one.durationMs - other.durationMs;
  let otherMs = 0;
  const files = filesFor(false)
    .sort(nearest)
    .filter((entry, index) => {
      if (distance(entry) > 0) otherMs += entry.durationMs;
      return index === 0 || otherMs < OTHER_TESTS_MAX_MS;
    });
  return { id, files: [...files, ...filesFor(true).sort(nearest).slice(0, RESET_FILES_MAX)] };
}

/** Runs mutants one after the other. Starts another process if one hangs or asks for it. */
async function runShare(work, name, plan, orders) {
  const output = join(work, `${name}.jsonl`);
  writeFileSync(output, '');
  for (;;) {
    const lines = readLines(output);
    const { id, status } = lines.at(-1) ?? {};
    // The second time, the mutant is what hangs.
    if (status === 'started' && lines.filter((line) => line.id === id).length > 1)
      appendFileSync(output, `${JSON.stringify({ id, status: 'timed out' })}\n`);
    const done = new Set(
      readLines(output).flatMap((line) => (/^(started|again)$/.test(line.status) ? [] : line.id)),
    );
    const mutants = orders.filter((order) => !done.has(order.id));
    if (mutants.length === 0) return;
    await runVitest(work, name, { ...plan, output, mutants, tests: [mutants[0].files[0].file] });
  }
}

async function runVitest(work, name, plan) {
  const file = join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(plan));
  const sizeOf = () => statSync(plan.output, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(join(work, 'vitest.log'), 'a');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.mjs'];
  const env = { ...process.env, PETSTORE_MUTATION_PLAN: file, PETSTORE_TEST_SEED: '1' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', log, log], detached: true, env });
  running.add(child.pid);
  const sizeBefore = sizeOf();
  let [size, changedAt] = [sizeBefore, performance.now()];
  // A whole file is one result of the first run.
  const silenceMaxMs = plan.mutants === undefined ? 10 * SILENCE_MAX_MS : SILENCE_MAX_MS;
  const timer = setInterval(() => {
    if (sizeOf() !== size) [size, changedAt] = [sizeOf(), performance.now()];
    const mustRestart =
      plan.mutants !== undefined && size > sizeBefore && readLines(plan.output).at(-1)?.isClean === false;
    if (mustRestart || performance.now() - changedAt > silenceMaxMs) process.kill(-child.pid, 'SIGKILL');
  }, 500);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  running.delete(child.pid);
  closeSync(log);
}

function report(work, mutants) {
  const lines = Array.from({ length: PROCESSES }, (_, share) =>
    readLines(join(work, `share-${share}.jsonl`)),
  ).flat();
  const statuses = new Map(lines.map(({ id, status }) => [id, status]));
  const statusOf = (id) => statuses.get(id) ?? 'not reached';
  const isChosen = (id) => id % every === 0;
  const count = (status) => mutants.filter((_, id) => isChosen(id) && statusOf(id) === status).length;
  const [killed, timedOut, survived, missed] = ['killed', 'timed out', 'survived', 'not reached'].map(count);
  const survivors = mutants.flatMap(({ at, from, to }, id) =>
    isChosen(id) && /^(survived|not reached)$/.test(statusOf(id))
      ? [`${at} ${statusOf(id)}: ${from} -> ${to}\n`]
      : [],
  );
  writeFileSync(join(work, 'survivors.txt'), survivors.join(''));
  const score = ((100 * (killed + timedOut)) / (killed + timedOut + survived + missed)).toFixed(1);
  console.log(
    `  ${killed} killed, ${timedOut} timed out, ${survived} survived, ${missed} not reached: ${score} %`,
  );
  console.log(`  ${join(work, 'survivors.txt')}`);
}

function filesBelow(folder) {
  if (folder.endsWith('.ts')) return [folder];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** Reads the complete lines of a file. */
function readLines(path) {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
