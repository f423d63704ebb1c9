import type { OutputFields } from '../command-line/command-tree.js';
import { checkRenderOptions, type Column, noIdError, render, type Row, type View } from '../output/index.js';
import { createPage, type Page } from '../output/table/page.js';
import { UsageError } from '../errors/usage-error.js';
import type { Terminal } from '../output/rows/view.js';
import type { Session } from './session.js';

/** A result in each shape that the output can have. */
export interface Presentation {
  fields: OutputFields;
  columns: readonly Column[];
  /** The rows of table, tsv, csv and ids. */
  rows: readonly object[];
  /** The whole result in json and yaml, and for --query. */
  document: object;
  /** The lines of ndjson. @default the document */
  lines?: readonly object[];
  /** Draws the page for people. @default a table of the rows, in which cells wrap between words */
  page?: (page: Page) => void;
  /** Draws what `-v` adds to the page. Rows have no place for it, so it goes to stderr, as the log does. */
  details?: (page: Page) => void;
}

/** The parts of a session that printing needs. */
type OutputSession = Pick<Session, 'context' | 'format' | 'global' | 'terminal'>;

/** `page`: the format `table` for people, unless a flag selects fields or changes the table. */
type Shape = 'page' | 'rows' | 'document' | 'lines';

/** Which shape the format and the flags select. A query applies to the whole document in every format. */
export function outputShape({ format, global }: Pick<OutputSession, 'format' | 'global'>): Shape {
  const { fields, query, sort, header } = global;
  if (format === 'ndjson') return 'lines';
  if (format === 'json' || format === 'yaml' || query !== undefined) return 'document';
  const isPlain = fields === undefined && sort === undefined && header;
  return format === 'table' && isPlain ? 'page' : 'rows';
}

/**
 * Checks the output options before anything is sent.
 *
 * @throws UsageError if an option can't be applied.
 */
export async function checkOutput(
  { rows, document, lines = document }: OutputFields,
  session: Pick<OutputSession, 'format' | 'global'>,
): Promise<void> {
  const { format, global } = session;
  if (global.ownFormat !== undefined) return;
  if (format === 'ids' && !rows.includes('id')) throw noIdError();
  const shape = outputShape(session);
  rejectFieldsOfLines({ document, lines }, shape, global.fields ?? []);
  await checkRenderOptions({ ...global, format }, { page: rows, rows, document, lines }[shape]);
}

/** The document of several results has their fields one level below: in its first field, a list. */
function rejectFieldsOfLines(
  { document, lines }: Required<Pick<OutputFields, 'document' | 'lines'>>,
  shape: Shape,
  fields: readonly string[],
): void {
  const [list = ''] = document;
  const areOfLines = fields.every((field) => lines.includes(field) && !document.includes(field));
  if (shape !== 'document' || fields.length === 0 || !areOfLines) return;
  const picked = fields.map((field) => `${field}: ${field}`).join(', ');
  throw new UsageError(
    `With several ${list}, the document has only the fields ${document.join(' and ')}`,
    `Pass --json --query '${list}[].{${picked}}', or -o ndjson --fields ${fields.join(',')}.`,
  );
}

/** Prints a result on stdout, after {@link checkOutput}. Returns its shape. */
export async function present(presentation: Presentation, session: OutputSession): Promise<Shape> {
  const { rows, columns, page: draw, details } = presentation;
  const { context, format, global, terminal } = session;
  const open = (stdout: Terminal['stdout']): Promise<Page> =>
    createPage({ stdout, now: context.clock.now() }, presentation);
  const shape = outputShape(session);
  if (shape === 'page') {
    const page = await open(terminal.stdout);
    if (draw === undefined) page.table(rows, columns, '');
    else draw(page);
    context.stdout.write(page.toString());
  } else {
    const view = viewOf(presentation, shape);
    context.stdout.write(await render(view, { ...global, format, ...terminal.stdout }));
  }
  if (details !== undefined && shape === 'rows' && global.verbose) {
    const log = await open({ ...terminal.stdout, ...terminal.stderr });
    details(log);
    context.stderr.write(log.toString());
  }
  return shape;
}

function viewOf({ fields, columns, rows, document, lines }: Presentation, shape: Shape): View {
  if (shape === 'rows') return { kind: 'list', rows: rows as readonly Row[], columns };
  const known = (shape === 'lines' && fields.lines) || fields.document;
  const all = [...columns, ...known.map((field) => ({ field, header: field }))];
  const data = (shape === 'lines' && lines) || document;
  return Array.isArray(data)
    ? { kind: 'list', rows: data as readonly Row[], columns: all }
    : { kind: 'record', row: data as Row, columns: all };
}
