// Configures vitest for run.mjs: all mutants are in the code, and one process runs all tests.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import base from '../../vitest.config.js';
import { makeMutants } from './mutants.mjs';

const plan = JSON.parse(readFileSync(process.env.PETSTORE_MUTATION_PLAN, 'utf8'));
const { setupFiles, testTimeout, update, env } = base.test;

const mutantsPlugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(_, id) {
    const path = relative(process.cwd(), id).replaceAll('\\', '/');
    const firstId = plan.firstIds[path];
    return firstId === undefined ? undefined : makeMutants(path, readFileSync(id, 'utf8'), firstId).code;
  },
};

export default {
  ...base,
  plugins: [...base.plugins, mutantsPlugin],
  test: {
    setupFiles,
    testTimeout,
    update,
    env,
    include: plan.tests,
    isolate: false,
    maxWorkers: 1,
    hookTimeout: 10_000,
    runner: './test/mutation/runner.mjs',
  },
};
