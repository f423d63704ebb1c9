import type { CommandTree } from '../command-line/command-tree.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/session.js';
import { defineCommand, outputFields } from '../session/command.js';
import { checkOutput, present } from '../session/present.js';

const COLUMNS: readonly Column[] = [
  { field: 'command', header: 'command', fixed: true },
  { field: 'summary', header: 'summary' },
];

const TREE_FIELDS = [
  'name',
  'version',
  'commands',
  'globalFlags',
  'environment',
  'exitCodes',
  'mockDomains',
  'topics',
] as const satisfies readonly (keyof CommandTree)[];

const FIELDS = outputFields(COLUMNS, TREE_FIELDS);

export const commands = defineCommand({
  word: 'commands',
  description:
    'List all commands. With --json: also flags, values, fields, examples, variables and exit codes.',
  fields: FIELDS,
  examples: [
    'petstore commands',
    'petstore commands --json',
    "petstore commands --query 'commands[?isGroup==`false`].words'",
  ],
  run: showCommands,
});

async function showCommands(_options: object, session: Session): Promise<undefined> {
  // The result of a query may have ids.
  if (session.format !== 'ids') await checkOutput(FIELDS, session);
  const document = await session.commandTree();
  const rows = document.commands
    .filter(({ isGroup }) => !isGroup)
    .map(({ words, summary }) => ({ command: words.join(' '), summary }));
  await present({ fields: FIELDS, columns: COLUMNS, rows, document }, session);
}
