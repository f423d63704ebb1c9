import type { Command } from 'commander';
import type { Bind, Session } from '../../../session/action.js';
import { addExamples } from '../../../help/examples.js';
import { describeFields } from '../../../help/describe-fields.js';
import { SUMMARY_FIELDS } from './import-fields.js';
import { CONCURRENCY_MAX, type ImportOptions, readImportOptions, ROW_FORMATS } from './import-options.js';

export function registerImport(pets: Command, bind: Bind): void {
  const command = pets
    .command('import')
    .description(
      'Create an animal for each row of a file. All rows are checked first, and none is sent again that was answered.',
    )
    .argument('<file>', 'rows with name, categoryId and, if you like, status; - reads stdin')
    .option('--format <format>', `${ROW_FORMATS.join(', ')}; else the name or the content tells`)
    .option('--journal <file>', 'what was sent, and what came back (FILE.journal)')
    .option('--resume', 'go on with an import that was stopped')
    .option('--concurrency <n>', `requests under way at most, 1 to ${String(CONCURRENCY_MAX)} (4)`)
    .option('--on-unknown <way>', 'rows that were sent and not answered: stop, skip or retry', 'stop')
    .action((file: string, flags: Record<string, unknown>) =>
      bind(importPets, readImportOptions(file, flags)),
    );
  describeFields(command, SUMMARY_FIELDS);
  addExamples(
    command,
    [
      'petstore pets import pets.csv --dry-run',
      'petstore pets import pets.csv',
      'petstore pets import pets.csv --resume --on-unknown retry',
      'petstore pets import - --format ndjson --journal delivery.journal --json',
    ],
    IMPORT_HELP,
  );
}

const IMPORT_HELP = `--dry-run checks the rows, and shows no requests; with a JSON format it prints
the faults as objects too. In JSON rows a status of null is one left out; a
field that is there twice is refused, and so is a categoryId such as 1.0 or 1e2.
The cost is told first: where the rate limit makes it wait longer than
--max-wait (60s) it does not begin, unless --yes. Each row is in the journal
before it is sent and when its answer is there, so an import that was stopped or
killed goes on with --resume, and sends no row again that was answered. Of a row
that was not answered nobody knows whether it was created: stop leaves the rest
unsent, skip goes on without it, retry sends it again unless an animal like it
is listed. Refused rows go to FILE.refused.csv, to be mended and imported. Of
what petstore pets export wrote, ids are not taken over.

Exit codes: 0 every row is created, 1 some were refused, 10 some are of unknown
outcome; and when it had to stop before the end 3, 6 or 7 (petstore help
exit-codes), 130 after ^C, 129 when the terminal has gone.`;

async function importPets(options: ImportOptions, session: Session): Promise<number> {
  const { runImport } = await import('./import-run.js');
  return runImport(options, session);
}
