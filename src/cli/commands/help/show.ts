import type { Command } from 'commander';
import { commandEntry, COMMANDS, TOPICS } from '../../command-line/command-table.js';
import { addExamples } from '../../help/examples.js';
import { quoted } from '../../command-line/flag-values.js';
import type { Bind, Session } from '../../session/action.js';
import { rootHelp } from '../../help/root-help.js';
import { suggest } from '../../text/suggest.js';
import { UsageError } from '../../errors/usage-error.js';
import { TOPIC_TEXTS } from './topics.js';

/** What `help` is asked about: a topic, or a command's words. */
export interface HelpOptions {
  words: readonly string[];
}

export function registerHelp(program: Command, bind: Bind): void {
  const topics = Object.entries(TOPICS).map(([topic, summary]) => `  ${topic.padEnd(13)}${summary}`);
  const command = program
    .command('help')
    .description('Explain a command or a topic.')
    .argument('[words...]', 'a topic, or a command such as pets list')
    .action((words: string[]) => bind(showHelp, { words }));
  addExamples(
    command,
    ['petstore help exit-codes', 'petstore help pets list'],
    `Topics:\n${topics.join('\n')}`,
  );
}

async function showHelp({ words }: HelpOptions, { context }: Session): Promise<undefined> {
  context.stdout.write(helpText(words));
}

/** Commands don't come here: `help pets list` is read as `pets list --help`. */
function helpText(words: readonly string[]): string {
  const [first, second, third] = words;
  if (first === undefined) return rootHelp();
  const topic = Object.hasOwn(TOPIC_TEXTS, first) ? TOPIC_TEXTS[first] : undefined;
  if (topic !== undefined && second === undefined) return topic;
  const verbs = commandEntry(first)?.verbs;
  if (topic === undefined && commandEntry(first) === undefined)
    throw unknown(first, [...Object.keys(TOPICS), ...Object.keys(COMMANDS)]);
  if (verbs === undefined) throw surplus(second, first);
  if (second !== undefined && Object.hasOwn(verbs, second)) throw surplus(third, `${first} ${second}`);
  throw unknown(second, Object.keys(verbs));
}

function surplus(word = '', known: string): UsageError {
  return new UsageError(`unexpected argument ${quoted(word)}`, `usage: petstore help ${known}`);
}

function unknown(word = '', known: readonly string[]): UsageError {
  const meant = suggest(word, known);
  return new UsageError(
    `there is no help on ${quoted(word)}`,
    meant === undefined ? 'petstore help lists commands and topics' : `did you mean ${meant}?`,
  );
}
