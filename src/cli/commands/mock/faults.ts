import { FAULT_PROFILES } from '../../../mock/index.js';
import { isDocumentFormat, type Column } from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import type { Session } from '../../session/action.js';

export const FAULT_COLUMNS: readonly Column[] = [
  { field: 'name', header: 'fault', fixed: true },
  { field: 'summary', header: 'summary' },
  { field: 'parameters', header: 'parameters' },
  { field: 'example', header: 'example' },
];

/** Lists the named faults of the mock, with their parameters and an example each. */
export async function listFaults(session: Session): Promise<undefined> {
  const { fields, sort, header, query } = session.global;
  if (isDocumentFormat(session.format) || query !== undefined) {
    const rows = FAULT_PROFILES.map((profile) => ({ ...profile }));
    await session.print({ kind: 'list', rows, columns: FAULT_COLUMNS });
    return;
  }
  const rows = FAULT_PROFILES.map(({ parameters, ...profile }) => ({
    ...profile,
    parameters: parameters
      .map((parameter) =>
        parameter.default === undefined ? parameter.name : `${parameter.name}=${String(parameter.default)}`,
      )
      .join(' '),
  }));
  if (session.format !== 'table' || fields !== undefined || sort !== undefined || !header) {
    await session.print({ kind: 'list', rows, columns: FAULT_COLUMNS });
    return;
  }
  // A page wraps the summaries between words; a list would truncate them.
  const { context, terminal } = session;
  const page = await createPage({ stdout: terminal.stdout, now: context.clock.now() }, rows);
  page.table(rows, FAULT_COLUMNS, '');
  context.stdout.write(page.toString());
  session.note('Use them with --fault NAME:parameter=value,… or in PUT /__mock/faults.');
}
