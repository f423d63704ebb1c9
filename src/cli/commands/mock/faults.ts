import { FAULT_PROFILES } from '../../../mock/index.js';
import type { Column } from '../../output/index.js';
import type { Session } from '../../session/action.js';
import { outputFields } from '../../session/command.js';
import { present } from '../../session/present.js';

const COLUMNS: readonly Column[] = [
  { field: 'name', header: 'fault', fixed: true },
  { field: 'summary', header: 'summary' },
  { field: 'parameters', header: 'parameters' },
  { field: 'example', header: 'example' },
];

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
  const result = { fields: FAULT_FIELDS, columns: COLUMNS, rows, document: FAULT_PROFILES };
  if ((await present(result, session)) === 'page')
    session.note('Use them with --fault NAME:parameter=value,… or in PUT /__mock/faults.');
}
