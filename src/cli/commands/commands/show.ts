import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readPlainFile, UnsupportedFileError } from '../../../security/plain-file.js';
import type { Bind, Session } from '../../session/action.js';
import type { CommandTree } from '../../help/command-tree.js';
import { addExamples } from '../../help/examples.js';
import { quoted } from '../../command-line/flag-values.js';
import { manPages } from '../../help/man-page.js';
import { type Column, isDocumentFormat } from '../../output/index.js';
import { createPage } from '../../output/table/page.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { describeFields } from '../../help/describe-fields.js';
import { describeFileError } from '../../files/safe-file.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { topicTexts } from '../help/topics.js';

/** Options of `commands`. */
export interface CommandsOptions {
  /** The directory for the manual pages. Without it the commands are listed. */
  manDirectory?: string;
}

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

export function registerCommands(program: Command, bind: Bind): void {
  const command = program
    .command('commands')
    .description(
      'List all commands. With --json: also flags, values, fields, examples, variables and exit codes.',
    )
    .option('--man <directory>', 'Write the manual pages to this directory')
    .action(({ man }: Record<string, unknown>) =>
      bind(showCommands, typeof man === 'string' ? { manDirectory: man } : {}),
    );
  describeFields(command, COLUMNS, TREE_FIELDS);
  addExamples(command, [
    'petstore commands',
    'petstore commands --json',
    "petstore commands --query 'commands[?isGroup==`false`].words'",
    'petstore commands --man /usr/local/share/man',
  ]);
}

async function showCommands({ manDirectory }: CommandsOptions, session: Session): Promise<undefined> {
  if (manDirectory !== undefined) rejectRequestFlags('commands --man', session);
  const tree = await session.commandTree();
  if (manDirectory !== undefined) {
    const pages = manPages(tree, await topicTexts());
    for (const { file, text } of pages) writePage(resolvePath(manDirectory, session.context), file, text);
    session.note(`Wrote ${String(pages.length)} manual pages to ${manDirectory}.`);
    return;
  }
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

/** The first line of a page. */
const OWN_PAGE = /^\.TH PETSTORE.*"petstore manual"\n/;

/** Writes a page to the directory of its section, such as `man1/petstore.1`. */
function writePage(directory: string, file: string, text: string): void {
  const folder = join(directory, `man${file.slice(-1)}`);
  const path = join(folder, file);
  let written = folder;
  try {
    mkdirSync(folder, { recursive: true });
    written = path;
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Replaces a link instead of following it.
    if (found?.isSymbolicLink() === false && !OWN_PAGE.test(readPlainFile(path)))
      throw new UnsupportedFileError(path, 'not a page that petstore wrote');
    rmSync(path, { force: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(
      `--man: ${quoted(written)} can't be written (${describeFileError(error)})`,
      'Choose another directory.',
      error,
    );
  }
}
