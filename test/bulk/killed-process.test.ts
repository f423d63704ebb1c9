import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ImportReport } from '../../src/bulk/index.js';
import { createMock, type Fault, type Mock } from '../../src/mock/index.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// An import in a process of its own, against the mock on a socket, killed again and again at whatever it is doing.

const CHILD = fileURLToPath(new URL('../support/import-child.mjs', import.meta.url));
const ROWS = 90;

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

/** Every 7th request is carried out and its answer lost, every 11th is refused. */
function everySeventhAndEleventh(): Fault[] {
  const struck = Array.from({ length: 4 * ROWS }, (_, index) => index + 1).filter(
    (at) => at % 7 === 0 || at % 11 === 0,
  );
  return struck.map((at, earlier) => ({
    route: 'POST /pets',
    // A fault does not count the requests that an earlier one has struck.
    skip: at - 1 - earlier,
    times: 1,
    action: at % 7 === 0 ? 'lost-write' : { status: 400 },
  }));
}

/** Names of the animals in the mock's own book, one made twice twice. */
function ledgerOf(mock: Mock): string[] {
  return mock.snapshot().worlds[0]!.pets.map(({ name }) => name);
}

/** Runs the import; kills it as soon as `isDue` says so. What it told until then. */
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
  const told = lines.map((line) => JSON.parse(line) as { created?: string; report?: ImportReport });
  return {
    created: told.flatMap(({ created }) => (created === undefined ? [] : [created])),
    report: told.find(({ report }) => report !== undefined)?.report,
  };
}

test('an import that is killed loses nothing acknowledged and hides nothing unknown', async () => {
  let requests = 0;
  let killAt = Infinity;
  let kill = (): void => undefined;
  const mock = createMock({
    pets: 0,
    plan: 'unlimited',
    faults: everySeventhAndEleventh(),
    onRequest() {
      requests += 1;
      // Now, or in the middle of what the child makes of the answer.
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
    killAt = requests + 5 + ((runs * 7) % 13);
    runs += 1;
    const told = await runChild(server.baseUrl, path, (killChild) => (kill = killChild));
    acknowledged.push(...told.created);
    report = told.report;
  }

  expect(runs).toBeGreaterThan(3);
  const ledger = ledgerOf(mock);
  const { counts } = report;
  expect(new Set(ledger).size).toBe(ledger.length);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(ledger).toEqual(expect.arrayContaining(acknowledged));
  expect(report.stopped).toBeUndefined();
  expect(counts.left + counts.underWay).toBe(0);
  expect(counts.created + counts.alreadyDone + counts.refused + counts.unknown).toBe(ROWS);
  // What the mock's book holds beyond the summary are the rows told as unknown, and no others.
  const unknown = report.unknown!.rows.map(({ pet }) => pet.name);
  expect(unknown).toHaveLength(counts.unknown);
  expect(ledger.filter((name) => !unknown.includes(name))).toHaveLength(counts.created + counts.alreadyDone);
  const refused = readFileSync(report.refusedFile!.path, 'utf8').trimEnd().split('\r\n').slice(1);
  expect(refused).toHaveLength(report.refusedFile!.rows);
  expect(ledger.filter((name) => refused.some((line) => line.startsWith(`${name},`)))).toEqual([]);
}, 120_000);
