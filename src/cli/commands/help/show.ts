import type { Command } from 'commander';
import { commandEntry, COMMANDS, TOPICS } from '../../command-line/command-table.js';
import { addExamples } from '../../help/examples.js';
import { quoted } from '../../command-line/flag-values.js';
import type { Bind, Session } from '../../session/action.js';
import { rejectOutputFlags } from '../../session/request-flags.js';
import { helpWidth } from '../../help/help-style.js';
import { rootHelp } from '../../help/root-help.js';
import { wrapText } from '../../output/text/wrap.js';
import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';
import { topicText } from './topics.js';

/** Options of `help`: a topic, or the words of a command. */
export interface HelpOptions {
  words: readonly string[];
}

export function registerHelp(program: Command, bind: Bind): void {
  const topics = Object.entries(TOPICS).map(([topic, summary]) => `  ${topic.padEnd(13)}${summary}`);
  const command = program
    .command('help')
    .description('Show help for a command or topic.')
    .argument('[words...]', 'A topic, or a command such as pets list')
    .action((words: string[]) => bind(showHelp, { words }));
  addExamples(
    command,
    ['petstore help exit-codes', 'petstore help pets list'],
    `Topics:\n${topics.join('\n')}`,
  );
}

async function showHelp({ words }: HelpOptions, session: Session): Promise<undefined> {
  const { context } = session;
  rejectOutputFlags('help', session, 'Run "petstore commands --json" for all commands as data.');
  context.stdout.write(await helpText(words, context.stdout.columns));
}

/** Handles topics only: the program reads `help pets list` as `pets list --help`. */
async function helpText(words: readonly string[], columns: number | undefined): Promise<string> {
  const [first, second, third] = words;
  if (first === undefined) return rootHelp(columns);
  const topic = await topicText(first);
  if (topic !== undefined && second === undefined) return wrapText(topic, helpWidth(columns));
  const verbs = commandEntry(first)?.verbs;
  if (topic === undefined && commandEntry(first) === undefined)
    throw unknownTopic(first, [...Object.keys(TOPICS), ...Object.keys(COMMANDS)]);
  if (verbs === undefined) throw unexpectedArgument(second, first);
  if (second !== undefined && Object.hasOwn(verbs, second))
    throw unexpectedArgument(third, `${first} ${second}`);
  throw unknownTopic(second, Object.keys(verbs));
}

function unexpectedArgument(word = '', known: string): UsageError {
  return new UsageError(`Unexpected argument ${quoted(word)}`, `Usage: petstore help ${known}`);
}

function unknownTopic(word = '', known: readonly string[]): UsageError {
  const meant = suggest(word, known);
  return new UsageError(
    `No help topic or command ${quoted(word)}`,
    meant === undefined ? 'Run "petstore help" for all commands and topics.' : `Did you mean "${meant}"?`,
  );
}
