import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { readConfigFile } from '../../config/config-files.js';
import { addExamples } from '../../help/examples.js';
import { type Column, isBareTextFormat } from '../../output/index.js';
import { describeFields } from '../../help/describe-fields.js';

const COLUMNS: readonly Column[] = [
  { field: 'current', header: '' },
  { field: 'profile', header: 'profile', fixed: true },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'keyIn', header: 'key stored in' },
];

export function registerAuthList(auth: Command, bind: Bind): void {
  const list = auth
    .command('list')
    .description('List the profiles and where their keys are stored. An asterisk shows the selected profile.')
    .action(() => bind(listProfiles, {}));
  describeFields(list, COLUMNS);
  addExamples(list, ['petstore auth list', 'petstore auth list --json profile,baseUrl']);
}

async function listProfiles(_options: object, session: Session): Promise<undefined> {
  const { context, settings, format } = session;
  const rows = Object.entries(readConfigFile(context).profiles).map(([profile, entry]) => {
    const isCurrent = profile === settings.profile;
    return {
      current: isBareTextFormat(format) ? (isCurrent ? '*' : '') : isCurrent,
      profile,
      baseUrl: entry.baseUrl ?? null,
      keyIn: entry.keyIn ?? null,
    };
  });
  await session.print({ kind: 'list', rows, columns: COLUMNS });
  if (rows.length === 0 && session.terminal.stdout.isTTY)
    session.note('No profiles yet. Run "petstore auth login" to create one.');
}
