import type { Command } from 'commander';
import type { Bind, Session } from '../../action.js';
import { addExamples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import {
  checkRenderOptions,
  type Column,
  type OutputFormat,
  type PaintStyle,
  render,
  type View,
} from '../../output/index.js';
import { tellFields } from '../../shown-fields.js';
import { isJsonFormat, readTerminal, type Terminal } from '../../terminal.js';
import { createPage, type Page } from '../domain/page.js';
import type { Check } from './check.js';
import { diagnose } from './diagnose.js';
import { lookAtMachine } from './machine.js';
import { lookAtService } from './service.js';

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

const DOCUMENT_FIELDS = ['checks', 'ok'];

export function registerDoctor(program: Command, bind: Bind): void {
  const command = program
    .command('doctor')
    .description(
      'Look at the set-up: configuration, key, network, certificate, clock, state. Costs one request.',
    )
    .option('--offline', 'leave out what needs the network')
    .action(({ offline }: Record<string, unknown>) => bind(examine, { offline: offline === true }));
  tellFields(command, COLUMNS, DOCUMENT_FIELDS, COLUMNS);
  addExamples(
    command,
    ['petstore doctor', 'petstore doctor --offline', 'petstore doctor --json'],
    'Exit code 1 where a check failed; what needs only care is a warning. The key is\nnot shown.',
  );
}

async function examine({ offline }: DoctorOptions, session: Session): Promise<number> {
  const style = outputStyle(session);
  const isDocument =
    isJsonFormat(style.format) || style.format === 'yaml' || session.global.query !== undefined;
  const isWhole = isDocument && style.format !== 'ndjson';
  await checkRenderOptions(
    { ...session.global, format: style.format },
    isWhole ? DOCUMENT_FIELDS : COLUMNS.map(({ field }) => field),
  );
  const machine = await lookAtMachine(session);
  const checks = diagnose({ ...machine, ...(await lookAtService(machine, offline, session)) });
  const ok = checks.every(({ state }) => state !== 'failed');
  const rows = checks.map((check) => ({ ...check, remedy: check.remedy ?? null }));
  if (isWhole) await print({ kind: 'record', row: { checks: rows, ok }, columns: [] }, style, session);
  else if (style.format === 'table' && isPlain(session)) await printPage(checks, style, session);
  else await print({ kind: 'list', rows, columns: COLUMNS }, style, session);
  return ok ? EXIT.ok : EXIT.failed;
}

interface OutputStyle {
  format: OutputFormat;
  terminal: Terminal;
}

/** A configuration that is wrong must not hide what doctor has to say of it: then only the flags count. */
function outputStyle(session: Session): OutputStyle {
  try {
    return { format: session.format, terminal: session.terminal };
  } catch {
    const { context, global } = session;
    const terminal = readTerminal(context, { color: global.color, profileColor: undefined });
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

/** A table of what was found, nothing of it cut, and below it what to do. */
async function printPage(checks: readonly Check[], style: OutputStyle, session: Session): Promise<void> {
  const { context } = session;
  const page = await createPage({ stdout: style.terminal.stdout, now: context.clock.now() }, checks);
  page.table(checks, COLUMNS.slice(0, -1), '');
  const wrong = checks.filter(({ remedy }) => remedy !== undefined);
  if (wrong.length > 0) page.heading('What to do');
  for (const check of wrong) addRemedy(check, page);
  context.stdout.write(page.toString());
}

function addRemedy({ id, remedy = '' }: Check, page: Page): void {
  page.text(`${id}: ${remedy}`, { first: '  ', rest: '    ', lead: id, style: 'cyan' });
}

function styleOf(state: string): PaintStyle | undefined {
  if (state === 'ok') return 'green';
  if (state === 'warn') return 'yellow';
  return state === 'failed' ? 'red' : 'dim';
}
