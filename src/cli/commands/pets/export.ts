import type { Command } from 'commander';
import { PET_STATUSES, type PetStatus } from '../../../schema/pet-reader.js';
import type { Bind, Session } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { choice } from '../../command-line/flag-values.js';
import { escapeJson, type OutputFormat, reshapingFlag, showControls } from '../../output/index.js';
import { UsageError } from '../../errors/usage-error.js';
import { PET_FIELDS, petListView } from './pet-view.js';

/** What `pets export` is asked for. */
export interface ExportOptions {
  status?: PetStatus;
  /** Where to; stdout without it. */
  file?: string;
}

const EXPORT_FORMATS = ['csv', 'ndjson', 'json', 'tsv', 'yaml'] as const;
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

export function registerExport(pets: Command, bind: Bind): void {
  const command = pets
    .command('export')
    .description('Write down everything that can be listed.')
    .option('--status <status>', `only animals in this state: ${PET_STATUSES.join(', ')}`)
    .option('--out <file>', 'write this file, whole or not at all; else stdout')
    .action((flags: Record<string, unknown>) => bind(exportPetsTo, readExportOptions(flags)));
  addExamples(
    command,
    [
      'petstore pets export --out pets.csv',
      'petstore pets export --status sold --out sold.ndjson',
      'petstore pets export -o ndjson',
    ],
    `The format is that of -o, else of the name of the file, else csv. petstore pets
import reads csv, ndjson and json back; the ids in them are not taken over. The
service lists 100 animals at a time and has no pages: whether that was all is
told on stderr, as complete: true or false.`,
  );
}

function readExportOptions({ status, out }: Readonly<Record<string, unknown>>): ExportOptions {
  return {
    ...(typeof status === 'string' ? { status: choice('--status', PET_STATUSES, status) } : {}),
    ...(typeof out === 'string' && out !== '-' ? { file: out } : {}),
  };
}

async function exportPetsTo(options: ExportOptions, session: Session): Promise<undefined> {
  refuseReshaping(session);
  const { context } = session;
  const { file } = options;
  const format = chooseFormat(file, session);
  if (file === undefined) {
    const { stdout } = session.terminal;
    const { text, ...facts } = await gather(options, format, session);
    for await (const piece of text) context.stdout.write(stdout.isTTY ? harmless(piece, format) : piece);
    tell(facts, undefined, session);
    return;
  }
  const { beginExportFile } = await import('./export-file.js');
  const target = await beginExportFile(file, context);
  try {
    const { text, ...facts } = await gather(options, format, session);
    for await (const piece of text) await target.write(piece);
    context.signal.throwIfAborted();
    await target.commit();
    tell(facts, file, session);
  } finally {
    await target.discard();
  }
}

/** An export is the whole, in an order and with columns that an import understands. */
function refuseReshaping({ global }: Session): void {
  const flag = reshapingFlag(global) ?? (global.header ? undefined : '--no-header');
  if (flag === undefined) return;
  throw new UsageError(
    `${flag} and petstore pets export contradict each other: it writes every animal and field`,
    'choose with petstore pets list --all instead',
  );
}

function chooseFormat(file: string | undefined, { global, settings }: Session): ExportFormat {
  if (global.format !== undefined && !isExportFormat(global.format)) {
    throw new UsageError(
      `-o ${global.format} is no format to keep animals in`,
      `pass one of ${EXPORT_FORMATS.join(', ')}`,
    );
  }
  const [, extension = ''] = /\.(\w+)$/.exec(file?.toLowerCase() ?? '') ?? [];
  const byName = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : undefined;
  const bySetting =
    settings.format !== undefined && isExportFormat(settings.format) ? settings.format : undefined;
  const format = global.format ?? byName ?? bySetting;
  if (format !== undefined || file === undefined) return format ?? 'csv';
  throw new UsageError(
    `the name ${file} does not tell the format`,
    `pass -o ${EXPORT_FORMATS.join('|')}, or name it such as pets.csv`,
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

/** csv, ndjson and json as an import reads them back, exactly; tsv and yaml as all commands print them. */
async function gather({ status }: ExportOptions, format: ExportFormat, session: Session): Promise<Gathered> {
  const { signal } = session.context;
  const store = await session.client({ fields: PET_FIELDS });
  if (format === 'tsv' || format === 'yaml') {
    const { pets, complete } = await store.pets.listAll({ status }, { signal });
    return { count: pets.length, complete, text: [await session.render(petListView(pets), format)] };
  }
  const { exportPets } = await import('../../../bulk/index.js');
  return exportPets(store, { format, status, csvRaw: session.global.csvRaw, signal });
}

/** A terminal must not obey what an animal is called; a file or a program gets the name itself. */
function harmless(text: string, format: ExportFormat): string {
  return format === 'csv' ? showControls(text) : escapeJson(text);
}

function tell(
  { count, complete }: Pick<Gathered, 'count' | 'complete'>,
  file: string | undefined,
  session: Session,
): void {
  const animals = `${String(count)} ${count === 1 ? 'animal' : 'animals'}`;
  const place = file === undefined ? '' : ` to ${file}`;
  const reason = complete
    ? ''
    : ': there may be more, for the service lists at most 100 at a time, and an answer came back full';
  session.note(`${animals} exported${place}, complete: ${String(complete)}${reason}`);
}
