import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ALL_MADE, created, lost, rejected, ROWS, setUp, summaryLines } from '../import-folder.js';

const MORE_ROWS = `${ROWS}Zoe,9,\nTom,9,\n`;

/** A folder in which an import stopped with one row created, one rejected, one unknown and two left. */
async function stopped() {
  const { folder, run, path } = setUp({ 'pets.csv': MORE_ROWS });
  await run('pets.csv', { responses: [created(1), rejected, lost, { body: '[]' }] });
  const files = () =>
    readdirSync(folder).map((name) => [name, name === 'state' || readFileSync(path(name), 'utf8')]);
  return { folder, run, path, files };
}

describe('--resume --dry-run', () => {
  test.each([
    ['stop', '0 rows would be sent.'],
    ['skip', '2 rows would be sent.'],
    ['accept-listed', '2 rows would be sent.'],
    ['retry', 'At most 3 rows would be sent.'],
  ])('with --on-unknown %s counts the rows to send, and sends and writes nothing', async (action, text) => {
    const { run, files } = await stopped();
    const before = files();
    const outcome = await run(`pets.csv --resume --dry-run --on-unknown ${action}`);
    expect(outcome).toMatchObject({ exitCode: 0, requests: [] });
    expect(outcome.stderr).toBe(
      `5 rows are valid. The journal has 1 created, 1 rejected, 1 unknown. ${text} Nothing was sent.\n`,
    );
    expect(files()).toEqual(before);
  });

  test('in JSON adds the counts', async () => {
    const { run } = await stopped();
    const { stdout } = await run('pets.csv --resume --dry-run --json');
    expect(JSON.parse(stdout)).toMatchObject({ rows: 5, alreadyDone: 1, rejected: 1, unknown: 1, left: 2 });
  });

  test.each(['', ' --dry-run', ' --mock', ' --dry-run --mock'])(
    'without a journal: 2 (%s)',
    async (flags) => {
      const { run, folder } = setUp();
      const outcome = await run(`pets.csv --resume${flags}`);
      expect(outcome).toMatchObject({
        ...{ exitCode: 2, stdout: '', requests: [] },
        stderr: expect.stringMatching(
          /^error: There is no import to resume in journal .*\nhint: .* Without it, rows that were sent before would be created again\.\n$/,
        ),
      });
      expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(['pets.csv']);
    },
  );

  test.each<[string, string]>([
    ['', ''],
    ['', ' --dry-run'],
    ['petstore-journal/1 {"serv', ''],
    ['petstore-journal/1 {"serv', ' --dry-run'],
  ])('with a journal that ends before its first row: 2 (%j%s)', async (content, flags) => {
    const { run, path } = setUp();
    writeFileSync(path('pets.csv.journal'), content, { mode: 0o600 });
    expect(await run(`pets.csv --resume${flags}`)).toMatchObject({
      ...{ exitCode: 2, stdout: '', requests: [] },
      stderr:
        'error: Journal pets.csv.journal is empty, so there is no import to resume\n' +
        'hint: If it is a copy, copy it again. Otherwise the import ended before its first row: run it without --resume.\n',
    });
    expect(await run('pets.csv', { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
  });

  test('after other rows of a finished import counts the rows that are equal', async () => {
    const { run, path } = setUp();
    await run('pets.csv', { responses: ALL_MADE });
    writeFileSync(path('pets.csv'), ROWS.replace('Mia', 'Mimi'));
    expect((await run('pets.csv --resume --dry-run')).stderr).toContain(
      'The journal has 2 created, 0 rejected, 0 unknown. 1 row would be sent.',
    );
  });

  test('reports a changed input, another service and a damaged journal, as the import would', async () => {
    const { run, path } = await stopped();
    writeFileSync(path('other.csv'), MORE_ROWS.replace('Zoe', 'Zoa'));
    const changed = await run('other.csv --resume --dry-run --journal pets.csv.journal');
    expect(changed.stderr).toContain(
      'error: other.csv has changed since the import started: line 5 differs\n',
    );
    const elsewhere = await run('pets.csv --resume --dry-run --base-url https://other.test/v1');
    expect(elsewhere.stderr).toContain('is for https://pets.test/v1, not for https://other.test/v1');
    const piped = await run('- --resume --dry-run --journal pets.csv.journal', { stdin: ROWS });
    expect(piped.stderr).toContain('error: The input has changed since the import started\n');
    writeFileSync(
      path('pets.csv.journal'),
      readFileSync(path('pets.csv.journal'), 'utf8').replace('=1:', '=2:'),
    );
    const damaged = await run('pets.csv --resume --dry-run');
    expect(damaged.stderr).toMatch(/^error: Journal pets\.csv\.journal is damaged in line \d+\n/);
    for (const { exitCode, requests } of [changed, elsewhere, piped, damaged])
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  });
});

test('--on-unknown accept-listed counts a row as created if exactly its pet is listed', async () => {
  const { run } = await stopped();
  const first = await run('pets.csv --resume --on-unknown accept-listed', {
    responses: [created(4, 9), created(5, 9), { body: '[{"id":9,"name":"Bo","categoryId":9}]' }],
  });
  expect(first).toMatchObject({ exitCode: 1, stdout: summaryLines(3, 1, 1, 0, 0) });
  expect(first.stderr).toContain('Accepted 1 row as created: exactly the pet is listed.\n');
  expect(first.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  const again = await run('pets.csv --resume');
  expect(again).toMatchObject({ exitCode: 1, requests: [], stdout: summaryLines(0, 4, 1, 0, 0) });
});
