import { toggle } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { checkOutput, present } from '../../session/present.js';
import { EXIT } from '../../errors/exit-codes.js';
import { type Column, isTabularFormat, type PaintStyle } from '../../output/index.js';
import type { Page } from '../../output/table/page.js';
import { redactKeyInData } from '../../settings/credentials/redaction.js';
import { examine } from './examine.js';
import { readSetting } from '../../settings/config/settings.js';
import { readTerminal } from '../../session/terminal.js';
import { findInvalidSettings, type InvalidSetting, sessionWithout } from './invalid-settings.js';

const COLUMNS: readonly Column[] = [
  { field: 'state', header: 'state', fixed: true, paint: styleOf },
  { field: 'id', header: 'check', fixed: true },
  { field: 'finding', header: 'finding' },
  { field: 'remedy', header: 'remedy' },
];
/** On a page, remedies are listed below the table. */
const PAGE_COLUMNS = COLUMNS.slice(0, -1);
const FIELDS = outputFields(COLUMNS, ['checks', 'ok'], COLUMNS);

export const doctor = defineCommand({
  word: 'doctor',
  description: 'Check the configuration, key, connection, clock and state. Sends one request.',
  flags: { offline: toggle('--offline', 'Skip the checks that need the network') },
  fields: FIELDS,
  examples: ['petstore doctor', 'petstore doctor --offline', 'petstore doctor --json'],
  notes: `Results:
- Exit code 1: a check failed. Warnings do not change the exit code.
- JSON: {"checks": [{"id", "state", "finding", "remedy"}], "ok"}.
- With -q the table shows only checks with a remedy.
- --timeout limits all checks together (default 30s).`,
  run: show,
});

async function show({ offline }: { offline: boolean }, session: Session): Promise<number> {
  const { context, global } = session;
  const invalid = findInvalidSettings(session.context);
  const output = { context, global, ...outputStyle(session, invalid) };
  await checkOutput(FIELDS, output);
  // A finding may quote a flag or a file that contains the key.
  const end = session.status.startWait('Checking the set-up');
  const checks = redactKeyInData(await examine(offline, invalid, session), context);
  end();
  const failed = checks.filter(({ state }) => state === 'failed');
  const ok = failed.length === 0;
  const lines = checks.map(({ remedy = null, ...check }) => ({ ...check, remedy }));
  const isShort = global.quiet && isTabularFormat(output.format);
  const rows = isShort ? lines.filter(({ remedy }) => remedy !== null) : lines;
  const page = (page: Page): void => {
    showChecks(rows, page);
  };
  await present(
    { fields: FIELDS, columns: COLUMNS, rows, document: { checks: lines, ok }, lines, page },
    output,
  );
  if (!ok)
    session.annotateFailure(
      'petstore doctor',
      failed.map(({ id, finding }) => `${id}: ${finding}`),
    );
  return ok ? EXIT.ok : EXIT.failed;
}

/** The output format and the terminal. Ignores an invalid configuration, which a check reports. */
function outputStyle(
  session: Session,
  invalid: readonly InvalidSetting[],
): Pick<Session, 'format' | 'terminal'> {
  const valid = sessionWithout(invalid, session, session.context.signal);
  const { context, global } = valid;
  try {
    return { format: valid.format, terminal: readTerminal(context, valid.settings) };
  } catch {
    const color = readSetting('color', global, context)?.value;
    const terminal = readTerminal(context, { color, profileColor: undefined });
    return { format: global.format ?? (terminal.stdout.isTTY ? 'table' : 'tsv'), terminal };
  }
}

/** Shows a table of the findings, and lists the remedies below it. */
function showChecks(rows: readonly { id: string; remedy: string | null }[], page: Page): void {
  page.table(rows, PAGE_COLUMNS, '');
  const remedies = new Map<string, string[]>();
  for (const { id, remedy } of rows)
    if (remedy !== null) remedies.set(remedy, [...(remedies.get(remedy) ?? []), id]);
  if (remedies.size > 0) page.heading('What to do');
  for (const [remedy, ids] of remedies) {
    const lead = ids.join(', ');
    page.text(`${lead}: ${remedy}`, { first: '  ', rest: '    ', lead, style: 'cyan' });
  }
}

function styleOf(state: string): PaintStyle | undefined {
  if (state === 'ok') return 'green';
  if (state === 'warn') return 'yellow';
  return state === 'failed' ? 'red' : 'dim';
}
