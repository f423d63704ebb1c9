import { FAULT_PROFILES } from '../../../mock/index.js';
import type { Column } from '../../output/index.js';
import type { Session } from '../../session/session.js';
import { outputFields } from '../../session/command.js';
import type { Page } from '../../output/table/page.js';
import { shellWord } from '../../errors/shell-word.js';
import { present } from '../../session/present.js';

const COLUMNS: readonly Column[] = [
  { field: 'name', header: 'fault', fixed: true },
  { field: 'summary', header: 'summary' },
  { field: 'parameters', header: 'parameters' },
  { field: 'example', header: 'example' },
];

/** A fault with its own headers and body, as JSON. */
const OWN_RESPONSE =
  '{"route":"POST /pets","times":1,"action":{"status":409,"headers":{"X-Name":"a"},"body":{"code":"taken"}}}';

export const FAULT_FIELDS = outputFields(COLUMNS);

/** Lists the named faults of the mock, with their parameters and an example each. */
export async function listFaults(session: Session): Promise<undefined> {
  const rows = FAULT_PROFILES.map(({ parameters, ...profile }) => ({
    ...profile,
    parameters: parameters
      .map((parameter) =>
        parameter.default === undefined ? parameter.name : `${parameter.name}=${String(parameter.default)}`,
      )
      .join(' '),
  }));
  const columns = COLUMNS.filter(({ field }) => field !== 'example');
  const page = (lines: Page): void => {
    lines.table(rows, columns, '');
    lines.gap();
    for (const example of [...rows.map((row) => row.example), OWN_RESPONSE])
      lines.command(`petstore mock --fault ${shellWord(example)}`, '');
  };
  const result = { fields: FAULT_FIELDS, columns: COLUMNS, rows, document: FAULT_PROFILES, page };
  if ((await present(result, session)) === 'page')
    session.note('PUT /__mock/faults and setFaults() take the same texts and JSON.');
}
