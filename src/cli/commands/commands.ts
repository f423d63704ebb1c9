import type { CommandTree } from '../command-line/command-tree.js';
import { type Column, isDocumentFormat } from '../output/index.js';
import { createPage } from '../output/table/page.js';
import type { Session } from '../session/action.js';
import { defineCommand, outputFields } from '../session/command.js';

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
  'topics',
] as const satisfies readonly (keyof CommandTree)[];

export const commands = defineCommand({
  word: 'commands',
  description:
    'List all commands. With --json: also flags, values, fields, examples, variables and exit codes.',
  fields: outputFields(COLUMNS, TREE_FIELDS),
  examples: [
    'petstore commands',
    'petstore commands --json',
    "petstore commands --query 'commands[?isGroup==`false`].words'",
  ],
  run: showCommands,
});

async function showCommands(_options: object, session: Session): Promise<undefined> {
  const tree = await session.commandTree();
  if (isDocumentFormat(session.format) || session.global.query !== undefined) {
    await session.print({ kind: 'record', row: { ...tree }, columns: [] });
    return;
  }
  const rows = tree.commands
    .filter(({ isGroup }) => !isGroup)
    .map(({ words, summary }) => ({ command: words.join(' '), summary }));
  const { fields, sort, header } = session.global;
  if (session.format !== 'table' || fields !== undefined || sort !== undefined || !header) {
    await session.print({ kind: 'list', rows, columns: COLUMNS });
    return;
  }
  // A page wraps the summaries between words; a list would truncate them.
  const { context, terminal } = session;
  const page = await createPage({ stdout: terminal.stdout, now: context.clock.now() }, rows);
  page.table(rows, COLUMNS, '');
  context.stdout.write(page.toString());
}
