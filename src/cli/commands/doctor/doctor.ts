import { toggle } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { EXIT } from '../../errors/exit-codes.js';
import {
  checkRenderOptions,
  type Column,
  isDocumentFormat,
  isTabularFormat,
  type OutputFormat,
  type PaintStyle,
  render,
  type View,
} from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import type { Terminal } from '../../output/rows/view.js';
import { redactKeyInData } from '../../credentials/redaction.js';
import type { Check } from './check.js';
import { examine } from './examine.js';
import { colorSetting } from '../../config/settings.js';
import { readTerminal } from '../../session/terminal.js';
import { findInvalidInput, type InvalidInput, validSession } from './valid-session.js';

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

export const doctor = defineCommand({
  word: 'doctor',
  description: 'Check the configuration, key, network, certificate, clock and state. Sends one request.',
  flags: { offline: toggle('--offline', 'Skip the checks that need the network') },
  fields: outputFields(FIELDS, DOCUMENT_FIELDS, FIELDS),
  examples: ['petstore doctor', 'petstore doctor --offline', 'petstore doctor --json'],
  notes: `Results:
- Exit code 1: a check failed. Warnings do not change the exit code.
- JSON: {"checks": [{"id", "state", "finding", "remedy", "details"}], "ok"}.
  A state is one of ok, warn, failed and skipped.
- With -q the table shows only checks with a remedy.

Limits:
- --timeout limits all checks together (default 30s).
- The key is never shown, and never sent to an unconfirmed host.`,
  run: show,
});

async function show({ offline }: { offline: boolean }, session: Session): Promise<number> {
  const { context, global } = session;
  const invalid = await findInvalidInput(session);
  const style = outputStyle(session, invalid);
  const { format } = style;
  const isDocument = isDocumentFormat(format) || global.query !== undefined;
  const isWhole = isDocument && format !== 'ndjson';
  await checkRenderOptions({ ...global, format }, isWhole ? DOCUMENT_FIELDS : FIELDS);
  // A finding may quote a flag or a file that contains the key.
  const end = session.status.startWait('Checking the set-up');
  const checks = redactKeyInData(await examine(offline, invalid, session), context);
  end();
  const ok = checks.every(({ state }) => state !== 'failed');
  const isShort = global.quiet && isTabularFormat(format);
  const shown = isShort ? checks.filter(({ remedy }) => remedy !== undefined) : checks;
  const rows = (isWhole ? checks : shown).map(({ remedy = null, details = null, ...check }) => ({
    ...check,
    remedy,
    details,
  }));
  if (isWhole) await print({ kind: 'record', row: { checks: rows, ok }, columns: [] }, style, session);
  else if (format === 'table' && isPlain(session)) await printPage(shown, style, session);
  else await print({ kind: 'list', rows, columns: COLUMNS }, style, session);
  const failed = checks.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    session.annotateFailure(
      'petstore doctor',
      failed.map(({ id, finding }) => `${id}: ${finding}`),
    );
  return ok ? EXIT.ok : EXIT.failed;
}

interface OutputStyle {
  format: OutputFormat;
  terminal: Terminal;
}

/** The output format and the terminal. Ignores an invalid configuration, which a check reports. */
function outputStyle(session: Session, invalid: InvalidInput): OutputStyle {
  const valid = validSession(session, invalid, { signal: session.context.signal });
  const { context, global } = valid;
  try {
    return { format: valid.format, terminal: readTerminal(context, valid.settings) };
  } catch {
    const color = colorSetting(global, context);
    const terminal = readTerminal(context, { color, profileColor: undefined });
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

/** Prints a table of the findings and lists the remedies below it. */
async function printPage(rows: readonly Check[], style: OutputStyle, session: Session): Promise<void> {
  const { context } = session;
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
