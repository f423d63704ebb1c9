import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportCounts } from '../../../../../src/bulk/internal.js';
import { NO_ROWS } from '../../../../../src/bulk/job/import-job.js';
import type { ImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';
import { locateImport } from '../../../../../src/cli/commands/pets/import/import-location.js';
import { ENV } from '../../../../support/fake-context.js';
import { sessionFor } from '../../../../support/fake-session.js';
import { rejection } from '../../../../support/stores.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

const COUNTS: ImportCounts = { ...NO_ROWS, rows: 9, created: 3, rejected: 1, left: 5 };
const DONE = { ...COUNTS, created: 8, left: 0 };
const UNTOUCHED = { ...COUNTS, created: 0, rejected: 0, left: 9 };

async function location(line: string, folder = temporaryFolder()) {
  const { session, options } = await sessionFor(`pets import ${line}`, {
    currentDirectory: folder,
    env: { ...ENV, PETSTORE_STATE_DIR: join(folder, 'state') },
  });
  // The line is for this command.
  return { folder, location: locateImport(options as ImportOptions, session) };
}

describe('the journal', () => {
  test.each([
    ['pets.csv', 'pets.csv.journal'],
    ['data/pets.csv', 'data/pets.csv.journal'],
    ['pets.csv --journal j', 'j'],
    ['- --journal j', 'j'],
    ['pets.csv --mock --journal j', 'j'],
  ])('of %s is %s', async (line, name) => {
    const { location: found, folder } = await location(line);
    expect(found).toMatchObject({ journalName: name, journal: join(folder, name) });
  });

  test.each(['-', 'pets.csv --mock', '- --mock'])(
    'of %s is a new file in the state directory',
    async (line) => {
      const { location: found, folder } = await location(line);
      expect(found.journal).toMatch(/\/state\/imports\/20260102T030405Z-[0-9a-f]{8}\.journal$/);
      expect((await location(line, folder)).location.journal).not.toBe(found.journal);
    },
  );

  test.each([
    ['pets.csv', { open: true, done: true, untouched: true }, false],
    ['pets.csv --journal j', { open: true, done: true, untouched: true }, false],
    // The copy may be the only one.
    ['- --journal j', { open: true, done: true, untouched: true }, true],
    ['-', { open: true, done: false, untouched: true }, true],
    ['- --mock', { open: false, done: false, untouched: false }, true],
    ['pets.csv --mock', { open: false, done: false, untouched: false }, false],
    ['pets.csv --mock --journal j', { open: true, done: true, untouched: false }, false],
    // The copy of a stream, when the import resumes.
    ['j.input --journal j', { open: true, done: true, untouched: true }, false],
    ['state/imports/j.input --journal state/imports/j', { open: true, done: false, untouched: true }, true],
  ])('of %s is kept: %j', async (line, kept, goesWithInput) => {
    const { location: found } = await location(line);
    for (const [name, counts] of [
      ['open', COUNTS],
      ['done', DONE],
      ['untouched', UNTOUCHED],
    ] as const) {
      expect({ [name]: found.closeOptions(counts, true) }).toEqual({
        [name]: { isKept: kept[name], own: goesWithInput ? [`${found.journal}.input`] : [] },
      });
      expect(found.isKept(counts, true)).toBe(kept[name]);
    }
  });

  test('of a stream without a state directory has a hint', async () => {
    const folder = temporaryFolder({ state: 'a file' });
    const { location: found } = await location('-', folder);
    expect(await rejection((async () => found.journal)())).toMatchObject({
      message: `Can't write ${join(folder, 'state', 'imports')} (a part of the path is not a folder)`,
      hint: 'Pass another path with --journal.',
    });
  });

  test('of a stream is removed if nothing was sent', async () => {
    const { location: found } = await location('-');
    expect([found.isKept(UNTOUCHED, false), found.isKept(UNTOUCHED, true)]).toEqual([false, true]);
  });

  test('of a file without rows is kept', async () => {
    const { location: found } = await location('pets.csv');
    expect(found.isKept({ ...UNTOUCHED, rows: 0, left: 0 }, true)).toBe(true);
  });
});

describe('the resume command', () => {
  test.each([
    ['pets.csv', undefined, 'petstore pets import pets.csv --resume'],
    ["'my pets.csv'", undefined, "petstore pets import 'my pets.csv' --resume"],
    [
      'pets.csv --journal j --format csv --concurrency 8 --on-unknown skip --profile shop --csv-raw --yes',
      undefined,
      'petstore pets import pets.csv --resume --journal j --format csv --concurrency 8 --on-unknown skip ' +
        '--profile shop --csv-raw --yes',
    ],
    [
      'pets.csv --resume --on-unknown skip --max-wait 2m --timeout 5s --base-url https://x.test/v1 -q',
      'retry',
      'petstore pets import pets.csv --resume --on-unknown retry --base-url https://x.test/v1 --max-wait 2m --timeout 5s',
    ],
    [
      'pets.csv --staging --reserve 20 --ca own.pem',
      undefined,
      'petstore pets import pets.csv --resume --staging --ca own.pem --reserve 20',
    ],
    ['- --journal j', undefined, 'petstore pets import j.input --resume --journal j'],
    ['--no-retry -- -k.csv', undefined, 'petstore pets import ./-k.csv --resume --no-retry'],
    ['pets.csv --mock', undefined, undefined],
  ] as const)('of %s, %s', async (line, more, command) => {
    expect((await location(line)).location.resumeCommand(more)).toBe(command);
  });
});

describe('other commands for the same service', () => {
  test.each([
    ['pets.csv', '', ''],
    [
      'pets.csv --resume --journal j --csv-raw --staging --max-wait 2m --on-unknown skip',
      ' --on-unknown skip --staging --csv-raw --max-wait 2m',
      ' --staging',
    ],
    [
      '- --base-url https://x.test/v1 --profile shop',
      ' --profile shop --base-url https://x.test/v1',
      ' --profile shop --base-url https://x.test/v1',
    ],
    ['pets.csv --mock', ' --mock', ' --mock'],
  ])('of %s', async (line, importFlags, listFlags) => {
    const { location: found, folder } = await location(line);
    expect(found.importCommand(join(folder, 'my rejected.csv'))).toBe(
      `petstore pets import 'my rejected.csv'${importFlags}`,
    );
    expect(found.listCommand()).toBe(`petstore pets list --all${listFlags}`);
  });
});

test.each([
  ['pets.csv', { format: 'csv' }, undefined],
  ['-', { format: 'csv', delimiter: ',' }, 'stdin.rejected.csv'],
  ['-', { format: 'csv', delimiter: '\t' }, 'stdin.rejected.tsv'],
  ['-', { format: 'ndjson' }, 'stdin.rejected.ndjson'],
] as const)('rejected rows of %s with %j go to %s', async (line, check, name) => {
  const { location: found, folder } = await location(line);
  expect(found.rejectedPath(check)).toBe(name === undefined ? undefined : join(folder, name));
});

test('shows paths relative to the current directory', async () => {
  const { location: found, folder } = await location('pets.csv');
  expect(found.shown(join(folder, 'a/b.csv'))).toBe('a/b.csv');
  expect(found.shown('/elsewhere/b.csv')).toBe('/elsewhere/b.csv');
});
