import { describe, expect, test } from 'vitest';
import { BulkError, type BulkFault, type RowFault } from '../../../../../src/bulk/index.js';
import type { ImportOptions } from '../../../../../src/cli/commands/pets/import/import-options.js';
import { explainBulkError } from '../../../../../src/cli/commands/pets/import/import-errors.js';
import { locateImport } from '../../../../../src/cli/commands/pets/import/import-location.js';
import { sessionFor } from '../../../../support/fake-session.js';

const OPTIONS: ImportOptions = { file: 'pets.csv', resume: false, onUnknown: 'stop' };

async function explain(error: BulkError, options = OPTIONS) {
  const { session } = await sessionFor('pets import pets.csv', { currentDirectory: '/nowhere' });
  return explainBulkError(error, options, locateImport(OPTIONS, session), session);
}

describe('each fault says what helps', () => {
  test.each([
    ['unreadable', 'check the path; - reads stdin'],
    ['journal-in-use', 'wait until that one has ended, or name a journal of its own with --journal'],
    ['journal-unfinished', 'go on with it: petstore pets import pets.csv --resume'],
    ['journal-damaged', 'look at line 7; name another file with --journal'],
    ['journal-of-other-service', 'to send the rows there as well, name a journal of its own with --journal'],
    ['journal-unwritable', 'name a place that can be written with --journal'],
    [
      'input-changed',
      'put new rows into a file of their own; to send all of pets.csv anew, name a journal of its own with --journal',
    ],
  ] satisfies [BulkFault, string][])('%s', async (fault, hint) => {
    const error = new BulkError(fault, 'about /nowhere/pets.csv and /nowhere/pets.csv.journal', { line: 7 });
    const shown = await explain(error);
    expect(shown).toMatchObject({ message: 'about pets.csv and pets.csv.journal', hint, cause: error });
  });
});

describe('errors of rows', () => {
  const rows = (errors: RowFault[], faultCount = errors.length) =>
    new BulkError('rows', '', { check: { format: 'csv', rows: 9, errors: errors, errorCount: faultCount } });

  test('one a line, with the place', async () => {
    const error = rows([
      { line: 2, row: 1, message: 'name is missing' },
      { line: 3, column: 5, message: 'did not expect "}"' },
      { line: 4, message: 'there is no such column as "nmae"', given: 'nmae', known: ['name', 'categoryId'] },
    ]);
    expect((await explain(error)).message).toBe(
      'pets.csv has 3 errors:\n' +
        '  pets.csv:2: name is missing\n' +
        '  pets.csv:3:5: did not expect "}"\n' +
        '  pets.csv:4: there is no such column as "nmae"; did you mean name?',
    );
  });

  test('of a list name the row, for many may stand in one line', async () => {
    const errors = [
      { line: 1, row: 3, message: 'name is missing' },
      { line: 1, column: 40, row: 4, message: 'did not expect "}"' },
      { line: 1, column: 90, message: 'the list is not closed with ]' },
    ];
    const check = { format: 'json', rows: 9, errors, errorCount: 3 } as const;
    const error = new BulkError('rows', '', { check });
    expect((await explain(error, { ...OPTIONS, file: 'pets.json' })).message).toBe(
      'pets.json has 3 errors:\n' +
        '  pets.json:1: row 3: name is missing\n' +
        '  pets.json:1:40: row 4: did not expect "}"\n' +
        '  pets.json:1:90: the list is not closed with ]',
    );
  });

  test('more than were kept, and from stdin', async () => {
    const error = rows([{ line: 2, message: 'name is missing' }], 1_000);
    expect((await explain(error, { ...OPTIONS, file: '-' })).message).toBe(
      'stdin has 1000 errors:\n  stdin:2: name is missing\n  and 999 more',
    );
  });

  test('drive no terminal', async () => {
    const error = rows([{ line: 2, message: 'no \u001b[2J\n', given: '\u001b', known: ['a'] }]);
    expect((await explain(error)).message).toBe('pets.csv has one fault:\n  pets.csv:2: no ^[[2J^J');
  });
});
