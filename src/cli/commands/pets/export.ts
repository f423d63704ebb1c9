import type { ListAllResult } from '../../../client/internal.js';
import { option, toggle, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { escapeJson, type OutputFormat, reshapingFlag, showControls } from '../../output/index.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { counted } from '../../errors/counted.js';
import { noteFirstOfAll, EXPORT_FORMATS, PET_COLUMNS, petListView } from './pet-view.js';
import { listByStatus, statusesFlag } from './statuses.js';

type ExportFormat = (typeof EXPORT_FORMATS)[number];

const FORMAT_OF_EXTENSION: Readonly<Record<string, ExportFormat>> = {
  csv: 'csv',
  json: 'json',
  jsonl: 'ndjson',
  ndjson: 'ndjson',
  tsv: 'tsv',
  yaml: 'yaml',
  yml: 'yaml',
};

const FLAGS = {
  statuses: statusesFlag,
  out: option('--out <file>', 'New output file, written completely or not at all (default stdout)'),
  force: toggle('--force', 'With --out: replace an existing file'),
  allowIncomplete: toggle('--allow-incomplete', 'Exit 0 also if pets may be missing'),
};

type ExportOptions = ValuesOf<typeof FLAGS>;

export const exportCommand = defineCommand({
  word: 'export',
  summary: 'Export all pets that can be listed',
  description: 'Export all pets that can be listed.',
  flags: FLAGS,
  formats: EXPORT_FORMATS,
  examples: [
    'petstore pets export --out all-pets.csv',
    'petstore pets export --status pending,sold --out sold.ndjson',
    'petstore pets export -o ndjson',
  ],
  notes: `Format:
- -o selects the format. Without -o, the file name does. The default is csv.
- petstore pets import reads csv, tsv, ndjson and json, but not yaml. It would create each
  pet again, as a new pet, so it rejects ids.
- csv and tsv have a header, and quotes where they are needed.

Completeness:
- The service lists at most 100 pets per request and has no pages.
- stderr reports whether the export is complete.
- An export that may be incomplete is written, and the exit code is 1.`,
  check(options) {
    if (options.force && fileOf(options) === undefined)
      throw new UsageError('--force needs --out', 'Add the file to replace, such as --out pets.csv.');
  },
  run: exportPetsTo,
});

/** The output file; `undefined` for stdout. */
function fileOf({ out }: ExportOptions): string | undefined {
  return out === '-' ? undefined : out;
}

async function exportPetsTo(options: ExportOptions, session: Session): Promise<undefined> {
  rejectReshaping(session);
  const { context, terminal } = session;
  const file = fileOf(options);
  // After the path is checked: a directory has no format.
  const gather = () => gatherPets(options, chooseFormat(file, session), session);
  if (file !== undefined) {
    const { writeExportFile } = await import('./export-file.js');
    reportResult(await writeExportFile(file, options.force, context, gather), options, session);
    return;
  }
  const gathered = await gather();
  const { text, format } = gathered;
  context.stdout.write(terminal.stdout.isTTY ? escapeForTerminal(text, format) : text);
  await context.flushStdout?.();
  context.signal.throwIfAborted();
  reportResult(gathered, options, session);
}

/** An export has all pets and fields, in the columns that an import reads. */
function rejectReshaping({ global }: Session): void {
  const flag = reshapingFlag(global) ?? (global.header ? undefined : '--no-header');
  if (flag === undefined) return;
  throw new UsageError(
    `petstore pets export does not support ${flag}: it writes every pet and field`,
    'Run "petstore pets list --all" instead.',
  );
}

function chooseFormat(file: string | undefined, { global, settings, note }: Session): ExportFormat {
  if (global.format !== undefined && !isExportFormat(global.format)) {
    throw new UsageError(
      `petstore pets export does not support -o ${global.format}`,
      `Use one of ${EXPORT_FORMATS.join(', ')}.`,
    );
  }
  const [, extension = ''] = /\.(\w+)$/.exec(file?.toLowerCase() ?? '') ?? [];
  const byName = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : undefined;
  const bySetting =
    settings.format !== undefined && isExportFormat(settings.format) ? settings.format : undefined;
  const format = global.format ?? byName ?? bySetting;
  if (byName !== undefined && format !== byName)
    note(`The format of ${String(file)} is ${String(format)}, as -o says, and not ${byName}.`);
  if (format !== undefined || file === undefined) return format ?? 'csv';
  throw new UsageError(
    `Unknown format of ${file}`,
    `Pass -o ${EXPORT_FORMATS.join('|')}, or a file name such as pets.csv.`,
  );
}

function isExportFormat(format: OutputFormat): format is ExportFormat {
  return (EXPORT_FORMATS as readonly OutputFormat[]).includes(format);
}

/** Lists the pets. An import reads all formats but yaml, which is formatted like the output of other commands. */
async function gatherPets({ statuses = [] }: ExportOptions, format: ExportFormat, session: Session) {
  const { signal } = session.context;
  const store = await session.client({ fields: PET_COLUMNS });
  noteFirstOfAll(session, statuses);
  const found = await listByStatus(statuses, (status) => store.pets.listAll({ status }, { signal }));
  if (format === 'yaml') {
    const text = await session.render(petListView(found.pets), format);
    return { ...found, format, text };
  }
  const { formatPets } = await import('../../../bulk/internal.js');
  const layout = format === 'tsv' ? ({ format: 'csv', delimiter: '\t' } as const) : { format };
  const text = await formatPets(found.pets, { ...layout, csvRaw: session.global.csvRaw });
  return { ...found, format, text };
}

/** Escapes control characters for a terminal; yaml has it done. A file or a pipe gets the original text. */
function escapeForTerminal(text: string, format: ExportFormat): string {
  if (format === 'csv' || format === 'tsv') return showControls(text);
  return format === 'yaml' ? text : escapeJson(text, true);
}

/** @throws CommandFailure if pets may be missing, so that a script does not take the export for a backup of all pets. */
function reportResult({ pets, complete }: ListAllResult, options: ExportOptions, session: Session): void {
  const file = fileOf(options);
  const result = `Exported ${counted(pets.length, 'pet')}${file === undefined ? '' : ` to ${file}`}`;
  if (complete) {
    session.confirm(`${result}; the export is complete.`, true);
    return;
  }
  const missing = 'The service lists at most 100 pets per request, so pets may be missing.';
  if (options.allowIncomplete) {
    session.note(`${result}. ${missing}`);
    return;
  }
  throw new CommandFailure(`${result}, but the export may be incomplete`, {
    type: 'incomplete',
    exitCode: EXIT.failed,
    hint: `${missing} If that is acceptable, pass --allow-incomplete.`,
  });
}
