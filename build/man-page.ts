import type {
  ArgumentNode,
  CommandNode,
  CommandTree,
  FlagNode,
} from '../src/cli/command-line/command-tree.js';
import { wrapText } from '../src/cli/output/text/wrap.js';

export { topicTexts } from '../src/cli/commands/help/topics.js';

/** Columns for notes and topics. man(1) indents them by seven. */
const WIDTH = 73;

/** A manual page and the name of its file, such as `petstore-pets-list.1`. */
export interface ManPage {
  file: string;
  /** Source in roff, with the macros of man(7). */
  text: string;
}

/**
 * Makes the manual pages: the program, each command and each topic.
 *
 * @param topics the texts of `petstore help TOPIC`, by name.
 */
export function manPages(tree: CommandTree, topics: Readonly<Record<string, string>>): ManPage[] {
  return [
    page('petstore', 1, tree, programSections(tree)),
    ...tree.commands.map((command) =>
      page(['petstore', ...command.words].join('-'), 1, tree, commandSections(command, tree)),
    ),
    ...tree.topics.map(({ name, summary }) =>
      page(`petstore-${name}`, 7, tree, [
        ['NAME', nameLine(`petstore-${name}`, summary)],
        ['DESCRIPTION', verbatim(wrapText(topics[name]?.trim() ?? '', WIDTH))],
        ['SEE ALSO', references([['petstore', 1]])],
      ]),
    ),
  ];
}

type Section = [heading: string, body: string];

function page(name: string, section: 1 | 7, { version }: CommandTree, sections: readonly Section[]): ManPage {
  const title = `.TH ${name.toUpperCase()} ${section} "" "petstore ${version}" "petstore manual"\n`;
  const bodies = sections
    .filter(([, body]) => body !== '')
    .map(([heading, body]) => `.SH ${heading}\n${body}`);
  return { file: `${name}.${section}`, text: title + bodies.join('') };
}

function programSections(tree: CommandTree): Section[] {
  const top = tree.commands.filter(({ words }) => words.length === 1);
  return [
    ['NAME', nameLine('petstore', 'Operate a pet store service from the terminal')],
    ['SYNOPSIS', '.B petstore\n.I command\n[flags]\n'],
    ['COMMANDS', top.map(({ words, summary }) => entry(bold(words.join(' ')), summary)).join('')],
    ['GLOBAL FLAGS', tree.globalFlags.map(flagEntry).join('')],
    ['ENVIRONMENT', tree.environment.map(({ name, summary }) => entry(bold(name), summary)).join('')],
    ['EXIT STATUS', tree.exitCodes.map(({ code, summary }) => entry(bold(String(code)), summary)).join('')],
    [
      'SEE ALSO',
      references([
        ...tree.commands.map(({ words }): Reference => [['petstore', ...words].join('-'), 1]),
        ...tree.topics.map(({ name }): Reference => [`petstore-${name}`, 7]),
      ]),
    ],
  ];
}

function commandSections(command: CommandNode, tree: CommandTree): Section[] {
  const { words, summary, description, usage, flags, examples } = command;
  const children = tree.commands.filter(
    (node) => node.words.length > words.length && words.every((word, index) => node.words[index] === word),
  );
  const text = `${description}\n${command.notes ?? ''}`;
  const related = [
    ...children.map((child): Reference => [['petstore', ...child.words].join('-'), 1]),
    ...tree.topics
      .filter(({ name }) => name !== 'exit-codes' && text.includes(`petstore help ${name}`))
      .map(({ name }): Reference => [`petstore-${name}`, 7]),
  ];
  const parent = words.length > 1 ? ['petstore', ...words.slice(0, -1)].join('-') : 'petstore';
  return [
    ['NAME', nameLine(['petstore', ...words].join('-'), summary)],
    ['SYNOPSIS', `${bold(['petstore', ...words].join(' '))}\n${escape(usage)}\n`],
    ['DESCRIPTION', `${escape(description)}\n`],
    ['COMMANDS', children.map((child) => entry(bold(child.words.at(-1) ?? ''), child.summary)).join('')],
    ['ARGUMENTS', command.arguments.map(argumentEntry).join('')],
    ['FLAGS', flags.map(flagEntry).join('')],
    ['NOTES', verbatim(wrapText(command.notes ?? '', WIDTH))],
    ['EXAMPLES', verbatim(examples.join('\n'))],
    ['SEE ALSO', references([[parent, 1], ...related, ['petstore-exit-codes', 7]])],
  ];
}

function nameLine(name: string, summary: string): string {
  return `${escape(name)} \\- ${escape(summary)}\n`;
}

function argumentEntry({ name, summary, variadic }: ArgumentNode): string {
  return entry(`.I ${escape(name)}${variadic ? ' ...' : ''}`, summary);
}

function flagEntry({ long, short, placeholder, optional, summary }: FlagNode): string {
  const names = [short, long].filter((name) => name !== undefined).map((name) => `\\fB${escape(name)}\\fR`);
  const value = placeholder === undefined ? '' : `\\fI${escape(placeholder)}\\fR`;
  return entry(
    names.join(', ') + (optional === true ? ` [${value}]` : value === '' ? '' : ` ${value}`),
    summary,
  );
}

function entry(term: string, text: string): string {
  return `.TP\n${term}\n${escape(text)}\n`;
}

function bold(text: string): string {
  return `.B ${escape(text)}`;
}

type Reference = readonly [name: string, section: 1 | 7];

function references(all: readonly Reference[]): string {
  return all
    .map(([name, section], index) => {
      const comma = index < all.length - 1 ? ',' : '';
      return `.BR ${escape(name)} (${String(section)})${comma}\n`;
    })
    .join('');
}

function verbatim(text: string): string {
  return text === '' ? '' : `.nf\n${text.split('\n').map(escape).join('\n')}\n.fi\n`;
}

/** Escapes dashes (to stay ASCII), backslashes, and dots and quotes at the start of a line. */
function escape(text: string): string {
  return text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
