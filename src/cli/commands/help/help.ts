import { COMMANDS, TOPICS } from '../../command-line/command-table.js';
import { anyText, argument, offering } from '../../command-line/flag.js';
import { rootHelp } from '../../command-line/root-help.js';
import { quoted } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';
import { forcedColumns, pageWidth, wrapText } from '../../output/text/wrap.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { suggest } from '../../../options/suggest.js';
import { topicText } from './topics.js';

const WORDS = [...Object.keys(COMMANDS), ...Object.keys(TOPICS)];
const TOPIC_ROWS = Object.entries(TOPICS).map(([topic, summary]) => `  ${topic.padEnd(13)}${summary}`);

export const help = defineCommand({
  word: 'help',
  description: 'Show help for a command or topic.',
  arguments: {
    words: argument('[words...]', 'A topic, or a command such as pets list', offering(WORDS, anyText)),
  },
  rejects: { output: true, outputHint: 'Run "petstore commands --json" for all commands as data.' },
  examples: ['petstore help exit-codes', 'petstore help pets list'],
  notes: `Topics:\n${TOPIC_ROWS.join('\n')}`,
  run: showHelp,
});

async function showHelp({ words }: { words: readonly string[] }, session: Session): Promise<undefined> {
  const { stdout, env } = session.context;
  const columns = forcedColumns(env) ?? stdout.columns;
  const [first, second] = words;
  if (first === undefined) {
    stdout.write(rootHelp(columns));
    return;
  }
  const topic = await topicText(first);
  if (topic === undefined || second !== undefined) throw unknownWords(words);
  stdout.write(wrapText(topic, pageWidth(columns)));
}

/** The program reads `help pets list` as `pets list --help`, so these words are no topic and no command. */
function unknownWords([first = '', excess]: readonly string[]): UsageError {
  const isTopic = Object.hasOwn(TOPICS, first);
  const meant = isTopic ? undefined : (suggest(first, WORDS) ?? startingWith(first.toLowerCase()));
  return new UsageError(
    isTopic ? `Unexpected argument ${quoted(excess ?? '')}` : `No help topic or command ${quoted(first)}`,
    meant === undefined ? 'Run "petstore help" for all commands and topics.' : `Did you mean "${meant}"?`,
  );
}

/** The only word that starts with a part of at least three letters, such as `env`. */
function startingWith(part: string): string | undefined {
  const found = part.length < 3 ? [] : WORDS.filter((word) => word.startsWith(part));
  return found.length === 1 ? found[0] : undefined;
}
