import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ImportReport } from '../../src/bulk/internal.js';
import { createMock, type Fault, type Mock } from '../../src/mock/index.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// An import in a separate process, against the mock service, killed repeatedly at any time.

const CHILD = fileURLToPath(new URL('../support/import-child.mjs', import.meta.url));
const ROWS = 60;

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

/** Every 7th response is lost after the pet was created, every 11th request is rejected. */
function everySeventhAndEleventh(): Fault[] {
  const struck = Array.from({ length: 4 * ROWS }, (_, index) => index + 1).filter(
    (at) => at % 7 === 0 || at % 11 === 0,
  );
  return struck.map((at, earlier) => ({
    route: 'POST /pets',
    // A fault does not count requests that an earlier fault has handled.
    skip: at - 1 - earlier,
    times: 1,
    action: at % 7 === 0 ? 'lost-write' : { status: 400 },
  }));
}

/** Names of the pets in the mock. A pet that was created twice is in it twice. */
function ledgerOf(mock: Mock): string[] {
  return mock.snapshot().worlds[0]!.pets.map(({ name }) => name);
}

/** Runs the import, kills it when `isDue` returns true, and returns its output. */
async function runChild(baseUrl: string, path: string, onKillDue: (kill: () => void) => void) {
  const child = spawn(process.execPath, [CHILD, compiled.url, baseUrl, path, 'skip'], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  onKillDue(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => (stderr += String(text)));
  await once(child, 'close');
  expect(stderr).toBe('');
  // A kill may cut the last line.
  const lines = stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
  const output = lines.map((line) => JSON.parse(line) as { created?: string; report?: ImportReport });
  return {
    created: output.flatMap(({ created }) => (created === undefined ? [] : [created])),
    report: output.find(({ report }) => report !== undefined)?.report,
  };
}

test('a killed import keeps all responses and reports all unknown rows', async () => {
  let requests = 0;
  let killAt = Infinity;
  let kill = (): void => undefined;
  const mock = createMock({
    pets: 0,
    plan: 'unlimited',
    faults: everySeventhAndEleventh(),
    onRequest() {
      requests += 1;
      // Now, or while the child handles the response.
      if (requests === killAt) setTimeout(kill, requests % 4);
    },
  });
  const server = await mock.listen();
  onTestFinished(() => server.close());
  const names = Array.from({ length: ROWS }, (_, index) => `pet-${String(index + 1)}`);
  const folder = temporaryFolder({
    'pets.csv': `name,categoryId\n${names.map((name) => `${name},7\n`).join('')}`,
  });
  const path = join(folder, 'pets.csv');

  const acknowledged: string[] = [];
  let report: ImportReport | undefined;
  let runs = 0;
  while (report === undefined) {
    killAt = requests + 8 + ((runs * 7) % 13);
    runs += 1;
    const output = await runChild(server.baseUrl, path, (killChild) => (kill = killChild));
    acknowledged.push(...output.created);
    report = output.report;
  }

  expect(runs).toBeGreaterThan(3);
  const ledger = ledgerOf(mock);
  const { counts } = report;
  expect(new Set(ledger).size).toBe(ledger.length);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(ledger).toEqual(expect.arrayContaining(acknowledged));
  expect(report.stopped).toBeUndefined();
  expect(counts.left + counts.inFlight).toBe(0);
  expect(counts.created + counts.alreadyDone + counts.rejected + counts.unknown).toBe(ROWS);
  // The mock has more pets than the summary only for rows reported as unknown.
  const unknown = report.unknown!.rows.map(({ pet }) => pet.name);
  expect(unknown).toHaveLength(counts.unknown);
  expect(ledger.filter((name) => !unknown.includes(name))).toHaveLength(counts.created + counts.alreadyDone);
  const rejected = readFileSync(report.rejectedFile!.path, 'utf8').trimEnd().split('\r\n').slice(1);
  expect(rejected).toHaveLength(report.rejectedFile!.rows);
  expect(ledger.filter((name) => rejected.some((line) => line.startsWith(`${name},`)))).toEqual([]);
}, 120_000);
