import type { CommandDeclaration } from '../../command-line/plain-line.js';
import { PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import type { Bind, Session } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { choice } from '../../command-line/flag-values.js';
import { escapeJson, type OutputFormat, reshapingFlag, showControls } from '../../output/index.js';
import { UsageError } from '../../errors/usage-error.js';
import { noteFirstOfAll } from './note-first-of-all.js';
import { EXPORT_FORMATS, PET_FIELDS, petListView } from './pet-view.js';

/** Options of `pets export`. */
export interface ExportOptions {
  status?: PetStatus;
  /** Output file. Default: stdout. */
  file?: string;
}

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

export function registerExport(pets: CommandDeclaration, bind: Bind): void {
  const command = pets
    .command('export')
    .description('Export all pets that can be listed.')
    .option('--status <status>', `Only pets with this status: ${PET_STATUSES.join(', ')}`)
    .option('--out <file>', 'Output file, written completely or not at all (default stdout)')
    .action((flags: Record<string, unknown>) => bind(exportPetsTo, readExportOptions(flags)));
  addExamples(
    command,
    [
      'petstore pets export --out pets.csv',
      'petstore pets export --status sold --out sold.ndjson',
      'petstore pets export -o ndjson',
    ],
    `Format:
- -o selects the format. Without -o, the file name does. The default is csv.
- petstore pets import reads csv, ndjson and json. It ignores the ids.

Completeness:
- The service lists at most 100 pets per request and has no pages.
- stderr reports whether the export is complete.`,
  );
}

function readExportOptions({ status, out }: Readonly<Record<string, unknown>>): ExportOptions {
  return {
    ...(typeof status === 'string' ? { status: choice('--status', PET_STATUSES, status) } : {}),
    ...(typeof out === 'string' && out !== '-' ? { file: out } : {}),
  };
}

async function exportPetsTo(options: ExportOptions, session: Session): Promise<undefined> {
  rejectReshaping(session);
  const { context } = session;
  const { file } = options;
  const format = chooseFormat(file, session);
  if (file === undefined) {
    const { stdout } = session.terminal;
    const { text, ...facts } = await gather(options, format, session);
    for await (const piece of text)
      context.stdout.write(stdout.isTTY ? escapeForTerminal(piece, format) : piece);
    noteResult(facts, undefined, session);
    return;
  }
  const { createExportFile } = await import('./export-file.js');
  const target = await createExportFile(file, context);
  try {
    const { text, ...facts } = await gather(options, format, session);
    for await (const piece of text) await target.write(piece);
    context.signal.throwIfAborted();
    await target.commit();
    noteResult(facts, file, session);
  } finally {
    await target.discard();
  }
}

/** An export has all pets and fields, in the columns that an import reads. */
function rejectReshaping({ global }: Session): void {
  const flag = reshapingFlag(global) ?? (global.header ? undefined : '--no-header');
  if (flag === undefined) return;
  throw new UsageError(
    `petstore pets export does not support ${flag}: it writes every pet and field`,
    'Use petstore pets list --all instead.',
  );
}

function chooseFormat(file: string | undefined, { global, settings }: Session): ExportFormat {
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
  if (format !== undefined || file === undefined) return format ?? 'csv';
  throw new UsageError(
    `Unknown format of ${file}`,
    `Pass -o ${EXPORT_FORMATS.join('|')}, or a file name such as pets.csv.`,
  );
}

function isExportFormat(format: OutputFormat): format is ExportFormat {
  return (EXPORT_FORMATS as readonly OutputFormat[]).includes(format);
}

interface Gathered {
  count: number;
  complete: boolean;
  text: AsyncIterable<string> | readonly string[];
}

/** Lists the pets. An import reads csv, ndjson and json; tsv and yaml are formatted like the output of other commands. */
async function gather({ status }: ExportOptions, format: ExportFormat, session: Session): Promise<Gathered> {
  const { signal } = session.context;
  const store = await session.client({ fields: PET_FIELDS });
  if (status === undefined) noteFirstOfAll(session);
  if (format === 'tsv' || format === 'yaml') {
    const { pets, complete } = await store.pets.listAll({ status }, { signal });
    return { count: pets.length, complete, text: [await session.render(petListView(pets), format)] };
  }
  const { exportPets } = await import('../../../bulk/index.js');
  return exportPets(store, { format, status, csvRaw: session.global.csvRaw, signal });
}

/** Escapes control characters for a terminal. A file or a pipe gets the original text. */
function escapeForTerminal(text: string, format: ExportFormat): string {
  return format === 'csv' ? showControls(text) : escapeJson(text);
}

function noteResult(
  { count, complete }: Pick<Gathered, 'count' | 'complete'>,
  file: string | undefined,
  session: Session,
): void {
  const pets = `${String(count)} ${count === 1 ? 'pet' : 'pets'}`;
  const target = file === undefined ? '' : ` to ${file}`;
  const result = complete
    ? 'The export is complete.'
    : 'There may be more: the service lists at most 100 pets per request.';
  session.note(`Exported ${pets}${target}. ${result}`);
}
