import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type JournalEntry } from '../../src/mock/index.js';
import { parseJson, stringifyJson } from '../../src/schema/json.js';
import { csv, importFolder, petNames, received, writes } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';
import type { Finished } from '../support/run-cli.js';
import { withoutRetryWait } from '../support/retry-wait.js';

interface Summary {
  rows: number;
  created: number;
  alreadyDone: number;
  rejected: number;
  unknown: number;
  left: number;
}

function summaryOf({ stdout }: Finished): Summary {
  return JSON.parse(stdout) as Summary;
}

const nameOf = ({ body = '{}' }: JournalEntry) => (JSON.parse(body) as { name: string }).name;

test('lost responses and rejected rows: the summary agrees with the pets of the service', async () => {
  // Every 7th response is lost, and every 11th other request is rejected. A fault does not count requests of an earlier one.
  const faults: string[] = [];
  for (let at = 1; at <= 120; at += 1) {
    const fault = at % 7 === 0 ? 'lost-write:' : at % 11 === 0 ? 'status:status=400,' : undefined;
    if (fault !== undefined)
      faults.push(`${fault}route=POST /pets,skip=${String(at - faults.length - 1)},times=1`);
  }
  const { mock, folder, run } = await importFolder(csv(120), { faults });
  const outcome = await run('pets import pets.csv --on-unknown skip --json');
  const sent = writes(mock.journal);
  const lost = sent.filter(({ status }) => status === undefined).length;
  const created = sent.filter(({ status }) => status === 201).length;
  const rejected = sent.filter(({ status }) => status === 400).length;

  expect({ created, rejected, lost }).toEqual({ created: 94, rejected: 9, lost: 17 });
  expect(outcome.exitCode).toBe(10);
  expect(summaryOf(outcome)).toMatchObject({ rows: 120, created, rejected, unknown: lost, left: 0 });
  expect(new Set(sent.map(nameOf)).size).toBe(120);
  expect(petNames(mock)).toHaveLength(created + lost);

  // The file of rejected rows can be imported.
  const retried = await run('pets import pets.rejected.csv --json');
  expect({ exitCode: retried.exitCode, ...summaryOf(retried) }).toMatchObject({ exitCode: 0, created: 9 });
  const written = outcome.stdout + outcome.stderr + readFileSync(join(folder, 'pets.csv.journal'), 'utf8');
  expect(written).not.toContain(mock.keys[0]);
}, 60_000);

test.each(IS_FULL ? [1, 2, 7, 30, 59, 60] : [30])(
  'an import that is killed after request %d creates no pet twice, and loses none (more with PETSTORE_TEST_FULL=1)',
  async (point) => {
    let count = 0;
    const victim: { kill?: () => void } = {};
    const { mock, start, run } = await importFolder(csv(60), {
      // Half of the lost responses are from the kill, half from the service.
      faults: ['lost-write:route=POST /pets,skip=20,times=2'],
      onRequest({ method }) {
        if (method === 'POST' && (count += 1) === point) victim.kill?.();
      },
    });
    const killed = start('pets import pets.csv --on-unknown skip');
    victim.kill = () => void killed.child.kill('SIGKILL');
    expect((await killed.finished).exitCode).not.toBe(0);

    const resumed = await run('pets import pets.csv --resume --on-unknown skip --json');
    const { created, alreadyDone, unknown, left } = summaryOf(resumed);
    expect(resumed.exitCode).toBe(unknown === 0 ? 0 : 10);
    expect({ sum: created + alreadyDone + unknown, left }).toEqual({ sum: 60, left: 0 });
    // No row was sent twice, and all missing pets are among the unknown rows.
    const names = petNames(mock);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(writes(mock.journal).map(nameOf)).size).toBe(writes(mock.journal).length);
    expect(names.length).toBeGreaterThanOrEqual(60 - unknown);

    // All 60 can be listed, so only rows that are not listed are sent again.
    const again = await start('pets import pets.csv --resume --on-unknown retry --json --timeout 20s', {
      env: withoutRetryWait(),
    }).finished;
    expect(petNames(mock).sort()).toEqual(
      Array.from({ length: 60 }, (_, at) => `row ${String(at + 1)}`).sort(),
    );
    expect(summaryOf(again)).toMatchObject({ rows: 60, left: 0 });

    // Finished: nothing is sent.
    const before = mock.journal.length;
    await run('pets import pets.csv --resume');
    expect(writes(mock.journal.slice(before))).toEqual([]);
  },
  60_000,
);

test('two imports with one journal: the second is rejected, the first completes', async () => {
  const { mock, start, run } = await importFolder(csv(40), { faults: ['slow:ms=200'] });
  const first = start('pets import pets.csv --json --concurrency 1');
  await received(mock, 3);
  for (const flags of ['', ' --resume']) {
    const second = await run(`pets import pets.csv${flags}`);
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(second.stderr).toMatch(
      /^error: Another import uses journal pets\.csv\.journal\nhint: Wait until the other import has ended/,
    );
  }
  mock.setFaults([]);
  const outcome = await first.finished;
  expect({ exitCode: outcome.exitCode, ...summaryOf(outcome) }).toMatchObject({ exitCode: 0, created: 40 });
  expect(writes(mock.journal)).toHaveLength(40);
});

test('^C: 130, and the printed command resumes the import', async () => {
  const { mock, folder, start, run } = await importFolder('', { faults: ['slow:ms=30'] });
  const stopped = start('pets import - --concurrency 1', { input: csv(50) });
  await received(mock, 5);
  stopped.child.kill('SIGINT');
  const { exitCode, stderr } = await stopped.finished;
  expect(exitCode).toBe(130);
  mock.setFaults([]);
  const [, line] = /^To resume, run: petstore (.*)$/m.exec(stderr)!;
  const outcome = await run(`${line!} --json`);
  expect(outcome.exitCode).toBe(0);
  expect(summaryOf(outcome)).toMatchObject({ rows: 50, unknown: 0, left: 0 });
  expect(writes(mock.journal)).toHaveLength(50);
  expect(new Set(writes(mock.journal).map(nameOf)).size).toBe(50);
  expect(existsSync(join(folder, 'pets.csv.journal'))).toBe(false);
});

describe('an export can be imported', () => {
  const PETS = [
    { name: '=HYPERLINK("x")', categoryId: 9223372036854775807n, status: 'sold' },
    { name: "'=1+1", categoryId: -1n, status: 'pending' },
    { name: "'quoted'", categoryId: 0n },
    { name: '-5', categoryId: 1n },
    { name: ' "a, b;\tc"\r\nline ', categoryId: 2n, status: 'available' },
    { name: 'esc\u001b[2J \u202e 小春 👩‍👩‍👧‍👦 e\u0301', categoryId: 3n },
    { name: '\ufeff', categoryId: 4n },
  ];

  test.each(['csv', 'ndjson', 'json'])('by %s, with every character and digit', async (format) => {
    const { mock: from, env: own, run } = await importFolder('');
    for (const pet of PETS) {
      await from.fetch(
        new Request('http://mock.test/v1/pets', {
          method: 'POST',
          headers: { authorization: `Bearer ${own.PETSTORE_API_KEY}`, 'content-type': 'application/json' },
          body: stringifyJson(pet),
        }),
      );
    }
    const exported = await run(`pets export --out all.${format}`);
    expect(exported).toMatchObject({
      exitCode: 0,
      stderr: `Exported 7 pets to all.${format}; the export is complete.\n`,
    });

    const to = createMock({ keys: ['other'], plan: 'unlimited', pets: 0 });
    const server = await to.listen();
    onTestFinished(() => server.close());
    const env = { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: 'other' };
    const line = `pets import all.${format} --concurrency 1`;
    const duplicated = await run(line, { env });
    expect(duplicated).toMatchObject({ exitCode: 2, stdout: '' });
    expect(duplicated.stderr).toContain(
      '"id" would not be sent: the rows would become NEW pets with new ids',
    );
    expect(duplicated.stderr).toMatch(
      /^hint: To create a new pet for each row, pass --ignore-columns\. Nothing was sent\.$/m,
    );
    expect(to.journal).toEqual([]);
    expect(await run(`${line} --ignore-columns`, { env })).toMatchObject({ exitCode: 0 });
    const received = writes(to.journal).map(({ body }) => parseJson(body!));
    expect(received.map((pet) => stringifyJson(pet))).toEqual(PETS.map((pet) => stringifyJson(pet)));
  });
});
