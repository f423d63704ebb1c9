import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import {
  checkRenderOptions,
  type Column,
  isDocumentFormat,
  type OutputFormat,
  type PaintStyle,
  render,
  type View,
} from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import { describeFields } from '../../help/describe-fields.js';
import type { Terminal } from '../../output/terminal.js';
import { redactKeyInData } from '../../credentials/redaction.js';
import type { Check } from './check.js';
import { examine } from './examine.js';
import { lookAtPlaces } from './open-places.js';
import { findUnsound, soundSession, type Unsound } from './sound-session.js';
import { terminalOf } from './terminal-fact.js';

/** What `doctor` is asked for. */
export interface DoctorOptions {
  /** Leave out what needs the network. */
  offline: boolean;
}

const COLUMNS: readonly Column[] = [
  { field: 'state', header: 'state', fixed: true, paint: styleOf },
  { field: 'id', header: 'check', fixed: true },
  { field: 'finding', header: 'finding' },
  { field: 'remedy', header: 'remedy' },
];
/** On a page, remedies are listed below the table. */
const PAGE_COLUMNS = COLUMNS.slice(0, -1);
const FIELDS = [...COLUMNS.map(({ field }) => field), 'details'];
const DOCUMENT_FIELDS = ['checks', 'ok'];

export function registerDoctor(program: Command, bind: Bind): void {
  const command = program
    .command('doctor')
    .description(
      'Look at the set-up: configuration, key, network, certificate, clock, state. Costs one request.',
    )
    .option('--offline', 'leave out what needs the network')
    .action(({ offline }: Record<string, unknown>) => bind(show, { offline: offline === true }));
  describeFields(command, FIELDS, DOCUMENT_FIELDS, FIELDS);
  addExamples(
    command,
    ['petstore doctor', 'petstore doctor --offline', 'petstore doctor --json'],
    [
      'Exit code 1 where a check failed, else 0: what only wants care is warned of.',
      'With -q the table shows no more than what has a remedy; data stays whole. JSON',
      'is {"checks": [{"id", "state", "finding", "remedy", "details"}], "ok"}, a state',
      'one of ok, info, warn, failed and skipped. --timeout is for all checks together',
      '(30s). The key is not shown, nor sent where nobody has confirmed that it may go.',
    ].join('\n'),
  );
}

async function show({ offline }: DoctorOptions, session: Session): Promise<number> {
  const { context, global } = session;
  // Before anything is read: what is found open is closed by that.
  const openPlaces = await lookAtPlaces(context);
  const unsound = await findUnsound(session);
  const style = outputStyle(session, unsound);
  const { format } = style;
  const isDocument = isDocumentFormat(format) || global.query !== undefined;
  const isWhole = isDocument && format !== 'ndjson';
  await checkRenderOptions({ ...global, format }, isWhole ? DOCUMENT_FIELDS : FIELDS);
  // A fault may quote what stands in a flag or a file, and that may be the key.
  const checks = redactKeyInData(await examine({ offline, openPlaces, unsound }, session), context);
  const ok = checks.every(({ state }) => state !== 'failed');
  const rows = checks.map(({ remedy = null, details = null, ...check }) => ({ ...check, remedy, details }));
  if (isWhole) await print({ kind: 'record', row: { checks: rows, ok }, columns: [] }, style, session);
  else if (format === 'table' && isPlain(session)) await printPage(checks, style, session);
  else await print({ kind: 'list', rows, columns: COLUMNS }, style, session);
  return ok ? EXIT.ok : EXIT.failed;
}

interface OutputStyle {
  format: OutputFormat;
  terminal: Terminal;
}

/** What is wrong with the set-up must not hide what doctor has to say of it: then only what is right counts. */
function outputStyle(session: Session, unsound: Unsound): OutputStyle {
  const { context, global } = session;
  const sound = soundSession(session, unsound, context.signal);
  const terminal = terminalOf(sound);
  try {
    return { format: sound.format, terminal };
  } catch {
    return { format: global.format ?? (terminal.stdout.isTTY ? 'table' : 'tsv'), terminal };
  }
}

function isPlain({ global }: Session): boolean {
  return global.fields === undefined && global.sort === undefined && global.header;
}

async function print(view: View, { format, terminal }: OutputStyle, session: Session): Promise<void> {
  const { stdout } = terminal;
  session.context.stdout.write(await render(view, { ...session.global, format, ...stdout }));
}

/** A table of what was found, nothing of it cut, and below it what to do. With --quiet, what is well is left out. */
async function printPage(checks: readonly Check[], style: OutputStyle, session: Session): Promise<void> {
  const { context, global } = session;
  const rows = global.quiet ? checks.filter(({ remedy }) => remedy !== undefined) : checks;
  if (rows.length === 0) return;
  const page = await createPage({ stdout: style.terminal.stdout, now: context.clock.now() }, rows);
  page.table(rows, PAGE_COLUMNS, '');
  const remedies = new Map<string, string[]>();
  for (const { id, remedy } of rows)
    if (remedy !== undefined) remedies.set(remedy, [...(remedies.get(remedy) ?? []), id]);
  if (remedies.size > 0) page.heading('What to do');
  for (const [remedy, ids] of remedies) {
    const lead = ids.join(', ');
    page.text(`${lead}: ${remedy}`, { first: '  ', rest: '    ', lead, style: 'cyan' });
  }
  context.stdout.write(page.toString());
}

function styleOf(state: string): PaintStyle | undefined {
  if (state === 'ok') return 'green';
  if (state === 'warn') return 'yellow';
  return state === 'failed' ? 'red' : 'dim';
}
