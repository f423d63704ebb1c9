import { expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { expectTraces } from './expect-traces.js';
import { exploreFiles, type FilesBound, type FilesErrors } from './files-model.js';

// Two processes that import two inputs with one journal. A step is a change of a file with its check.

const TIMEOUT_MS = 600_000;

const FILES: FilesBound = { rows: 1, runs: IS_FULL ? 4 : 2, faults: 2 };
/** The smallest bound that has each of the errors. */
const OF_ERRORS: FilesBound = { rows: 1, runs: 3, faults: 1 };

test('the files of an import survive kills, failures and lost locks', { timeout: TIMEOUT_MS }, async () => {
  const { states, trace } = await exploreFiles(FILES);
  console.log(`${states} states of the files: ${JSON.stringify(FILES)}`);
  expect(trace).toBeUndefined();
});

const FILES_ERRORS: [name: string, errors: FilesErrors][] = [
  ['a process that lost its lock removes the journal', { removesUnguarded: true }],
  ['a journal is emptied before the next plan is on the disk', { emptiesFirst: true }],
];
test('the checker finds each of these errors with a shortest trace', { timeout: TIMEOUT_MS }, async () => {
  await expectTraces(
    'files-traces.txt',
    FILES_ERRORS.map(([name, errors]) => [name, () => exploreFiles(OF_ERRORS, errors)]),
  );
});
