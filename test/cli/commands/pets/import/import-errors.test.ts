import { describe, expect, test } from 'vitest';
import { BulkError, type BulkErrorReason, type RowError } from '../../../../../src/bulk/internal.js';
import type { ImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';
import { explainBulkError } from '../../../../../src/cli/commands/pets/import/import-errors.js';
import { locateImport } from '../../../../../src/cli/commands/pets/import/import-location.js';
import { sessionFor } from '../../../../support/fake-session.js';
import { parseLine } from '../../../../support/parse-line.js';

const OPTIONS = (await parseLine('pets import pets.csv')).options as ImportOptions;

async function explain(error: BulkError, options = OPTIONS) {
  const { session } = await sessionFor('pets import pets.csv', { currentDirectory: '/nowhere' });
  return explainBulkError(error, locateImport(options, session), session);
}

/** What every hint says that names another journal. */
const OTHER = 'Keep this journal: with another one, all rows are sent again.';
const CHECK = `Check the journal, its owner and its permissions. ${OTHER}`;

describe('each error has a hint', () => {
  test.each([
    ['unreadable', 'Check the path. Use - to read stdin.'],
    ['journal-in-use', `Wait until the other import has ended. ${OTHER}`],
    ['lock-lost', 'Wait until the other import has ended. Then run: petstore pets import pets.csv'],
    ['journal-unfinished', 'To resume, run: petstore pets import pets.csv --resume'],
    ['journal-damaged', CHECK],
    [
      'journal-of-other-service',
      'To resume at the service of the journal, pass its address with --base-url.',
    ],
    ['journal-unwritable', CHECK],
    ['input-changed', `To resume, undo the change, and put new rows into a separate input. ${OTHER}`],
    ['journal-foreign', CHECK],
    [
      'journal-missing',
      'Check the path of the journal. A new journal does not know which rows were sent, and sends all of them.',
    ],
    ['rows-done', `To send only the other rows, run: petstore pets import pets.csv --resume`],
  ] satisfies [BulkErrorReason, string][])('%s', async (reason, hint) => {
    const error = new BulkError(reason, 'about /nowhere/pets.csv and /nowhere/pets.csv.journal', { line: 7 });
    const shown = await explain(error);
    expect(shown).toMatchObject({ hint, cause: error });
    expect(shown.message).toBe(
      `about pets.csv and pets.csv.journal${reason === 'lock-lost' ? '; nothing was sent' : ''}`,
    );
  });
});

describe('errors of rows', () => {
  const rows = (errors: RowError[], faultCount = errors.length) =>
    new BulkError('rows', '', {
      check: { format: 'csv', rows: 9, errors, errorCount: faultCount, notes: [] },
    });

  test('of JSON have the row number, because one line can have many rows', async () => {
    const errors = [
      { line: 1, row: 3, message: 'name is missing' },
      { line: 1, column: 40, row: 4, message: 'unexpected "}"' },
      { line: 1, column: 90, message: 'Array is not closed with ]' },
    ];
    const check = { format: 'json', rows: 9, errors, errorCount: 3, notes: [] } as const;
    const error = new BulkError('rows', '', { check });
    expect((await explain(error, { ...OPTIONS, file: 'pets.json' })).message).toBe(
      'pets.json has 3 errors:\n' +
        '  pets.json:1: row 3: name is missing\n' +
        '  pets.json:1:40: row 4: unexpected "}"\n' +
        '  pets.json:1:90: Array is not closed with ]',
    );
  });

  test('are escaped for the terminal', async () => {
    const error = rows([{ line: 2, message: 'no \u001b[2J\n', given: '\u001b', known: ['a'] }]);
    expect((await explain(error)).message).toBe('pets.csv has 1 error:\n  pets.csv:2: no ^[[2J^J');
  });
});
