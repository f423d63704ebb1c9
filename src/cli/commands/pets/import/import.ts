import { defineCommand, outputFields } from '../../../session/command.js';
import { IMPORT_ARGUMENTS, IMPORT_FLAGS, SUMMARY_FIELDS } from './import-options.js';
import { UsageError } from '../../../errors/usage-error.js';

const IMPORT_HELP = `Validates every row before sending. Rows with a response are never sent again.

Input:
- CSV needs a header. JSON is an array of objects. NDJSON has one object per line.
- Column names and JSON fields ignore case, blanks and underscores.
- category and categoryId are the same.
- Unknown columns are errors. With --ignore-columns, they are ignored.
- A column or field id is an error, too: the rows would become new pets.
- stdin is limited to 1 GiB, a row to 1 MiB.

Before sending:
- --dry-run validates the rows and sends nothing. To list all errors as a table,
  add --query errors -o csv.
- With --resume, --dry-run shows how many rows would be sent.
- If the rate limit requires a wait longer than --max-wait (default 75s), the
  import stops with exit code 6. --resume continues it.

After a stop:
- The journal records each row before it is sent and after its response.
- --resume sends the rows that are left. It needs the journal. If no row was
  sent, --resume starts with the first row.
- A file of other rows starts a new import. The finished journal is kept.
- If a finished import created some of the rows, nothing is sent. --resume
  sends only the others. With another --journal, all rows are sent again.

Rows without a response:
- Such a pet may or may not have been created.
- --on-unknown stop sends no more rows. skip sends the other rows.
- --on-unknown retry sends them once more after 30 s, unless a listed pet is
  alike: any status, any case of the name.
- If not all pets can be listed, the pets may exist. retry then sends nothing,
  unless you choose it on a terminal.
- --on-unknown accept-listed sends none of them again. It counts equal rows as
  created if the same number of equal pets is listed.
- With another API key than before, retry and accept-listed need --yes.

Rejected rows:
- The command writes them to a file with the reasons: pets.rejected.csv for
  pets.csv. Fix these rows or their cause, then import that file.
- The import of pets.csv does not send them again.

Exit codes:
- 1: some rows are rejected.
- 10: the outcome of some rows is unknown.
- 3, 4, 5, 6 or 7: the import stopped early, and no row is unknown.`;

export const importCommand = defineCommand({
  word: 'import',
  summary: 'Create a pet for each row of a file',
  description: 'Create a pet for each row of a file.',
  arguments: IMPORT_ARGUMENTS,
  flags: IMPORT_FLAGS,
  fields: outputFields(SUMMARY_FIELDS),
  examples: [
    'petstore pets import pets.csv --dry-run',
    'petstore pets import pets.csv',
    'petstore pets import pets.csv --resume --on-unknown retry',
    'petstore pets import - --format ndjson --journal delivery.journal --json',
  ],
  notes: IMPORT_HELP,
  check({ resume, file, journal }) {
    if (resume && file === '-' && journal === undefined) {
      throw new UsageError(
        '--resume with stdin needs a journal',
        'Pass --journal. The command that was printed when the import stopped has it.',
      );
    }
  },
  async run(options, session) {
    const { runImport } = await import('./import-run.js');
    return runImport(options, session);
  },
});
