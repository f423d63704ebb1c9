// Runs tests in one process. First it records which mutants each test reaches. Then it runs these tests for each mutant,
// until one fails.
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startTests } from '@vitest/runner';
import { TestRunner, vi } from 'vitest';

const plan = JSON.parse(readFileSync(process.env.PETSTORE_MUTATION_PLAN, 'utf8'));
// Tests may replace them.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

const TIMED_OUT = 'The test takes too long with the mutant';
/** A mutant that is used more often is stopped, because it may be in a loop. */
const USES_MAX = 5_000_000;
const CONTROL_MAX_MS = 30_000;

const probe = { active: -1, uses: 0, counts: new Uint32Array(plan.mutantCount) };
/** Whether a mutant is active. The code with the mutants calls it. */
globalThis.__m = (id) => {
  probe.counts[id] += 1;
  if (id !== probe.active) return false;
  probe.uses += 1;
  if (probe.uses > USES_MAX) throw new Error('The mutant is in a loop');
  return true;
};

/** Returns the mutants that were reached since the last time, with the number of times. */
function takeReached() {
  const reached = [...probe.counts.entries()].filter(([, count]) => count > 0);
  probe.counts.fill(0);
  return reached;
}

const record = (data) => appendFileSync(plan.output, `${JSON.stringify(data)}\n`);
const isMocking = (path) => /\bvi\.(mock|doMock)\(/.test(readFileSync(path, 'utf8'));

export default class MutationRunner extends TestRunner {
  /** Whether tests are repeated, for a mutant or to see that they can be repeated. */
  #isRepeating = false;
  /** Ids of the tests to run, with their time limits. `undefined` for all. */
  #selected;
  #failure;
  #failedIds = [];
  #coverage;
  #mutantCount = 0;

  async onBeforeCollect([path]) {
    if (plan.mutants !== undefined || this.#isRepeating) return;
    this.#resetModules();
    takeReached();
    this.#coverage = { file: relative(process.cwd(), path), loading: [], hooks: [], tests: [] };
  }

  onCollected() {
    if (this.#coverage !== undefined) this.#coverage.loading = takeReached();
  }

  async onBeforeRunTask(test) {
    const isFirstRun = plan.mutants !== undefined && !this.#isRepeating;
    if (isFirstRun || this.#failure !== undefined || this.#selected?.has(test.id) === false)
      test.mode = 'skip';
    await super.onBeforeRunTask(test);
    this.#coverage?.hooks.push(...takeReached());
  }

  async runTask(test) {
    const run = TestRunner.getTestFn(test);
    const limitMs = this.#selected?.get(test.id);
    if (limitMs === undefined) return run();
    let timer;
    const limit = new Promise((_, reject) => {
      timer = startTimer(() => reject(new Error(TIMED_OUT)), limitMs);
    });
    await Promise.race([run(), limit]).finally(() => stopTimer(timer));
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    const { state, duration = 0, errors } = test.result ?? {};
    this.#coverage?.tests.push({ id: test.id, state, durationMs: duration, reached: takeReached() });
    if (state !== 'fail') return;
    this.#failedIds.push(test.id);
    if (this.#selected !== undefined)
      this.#failure ??= { id: test.id, name: test.name, message: errors?.[0]?.message };
  }

  async onAfterRunFiles(files) {
    super.onAfterRunFiles();
    if (this.#isRepeating) return;
    this.#isRepeating = true;
    const { onTaskUpdate, onCollected } = this;
    // Updates of the first run are sent with a delay. Those of the repeated runs are not sent.
    await new Promise((resolve) => startTimer(resolve, 300));
    Object.assign(this, { onTaskUpdate: async () => undefined, onCollected: async () => undefined });
    if (plan.mutants === undefined) await this.#recordCoverage();
    else if (files.length > 0) for (const mutant of plan.mutants) await this.#runMutant(mutant);
    Object.assign(this, { onTaskUpdate, onCollected });
    this.#isRepeating = false;
  }

  /** Tests that fail when they are repeated in the same process are not used. */
  async #recordCoverage() {
    const coverage = this.#coverage;
    this.#coverage = undefined;
    await this.#runFile(coverage.file, { active: -1 });
    const failed = new Set(this.#failedIds.splice(0));
    const tests = coverage.tests.filter(({ id, state }) => state === 'pass' && !failed.has(id));
    record({ ...coverage, tests });
  }

  async #runMutant({ id, files }) {
    record({ id, status: 'started' });
    this.#mutantCount += 1;
    for (const { file, tests, isReset } of files) {
      this.#selected = new Map(tests);
      const failure = await this.#runFile(file, { active: id, isReset });
      appendFileSync(plan.output, '\n');
      if (failure === undefined) continue;
      // The mutant may have left something behind. Then the test fails without it, and another process continues.
      if (failure.id !== undefined) this.#selected = new Map([[failure.id, CONTROL_MAX_MS]]);
      const isClean = (await this.#runFile(file, { active: -1 })) === undefined;
      const status = failure.message === TIMED_OUT ? 'timed out' : 'killed';
      const isCertain = isClean || this.#mutantCount === 1;
      record({ id, status: isCertain ? status : 'again', isClean, file, test: failure.name });
      if (!isClean) await new Promise(() => undefined);
      return;
    }
    record({ id, status: 'survived', isClean: true });
  }

  /** @returns the first failure of the selected tests, of a hook, or of the import of the file. */
  async #runFile(file, { active, isReset = false }) {
    const path = join(process.cwd(), file);
    const needsReset = isReset || isMocking(path);
    const { evaluatedModules } = this.workerState;
    const node = evaluatedModules.getModuleById(path);
    if (needsReset) this.#resetModules();
    else if (node !== undefined) evaluatedModules.invalidateModule(node);
    Object.assign(probe, { active, uses: 0 });
    this.workerState.filepath = path;
    const [task] = await startTests([{ filepath: path }], this);
    probe.active = -1;
    vi.restoreAllMocks();
    if (needsReset) this.#resetModules();
    const failure = this.#failure ?? failureOf(task);
    this.#failure = undefined;
    return failure;
  }

  #resetModules() {
    this.moduleRunner.mocker?.reset();
    vi.resetModules();
  }
}

function failureOf(task) {
  if (task.result?.state === 'fail') return { message: task.result.errors?.[0]?.message };
  return task.tasks?.map(failureOf).find((failure) => failure !== undefined);
}
