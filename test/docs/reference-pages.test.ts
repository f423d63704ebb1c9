import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArgumentNode, CommandNode, FlagNode } from '../../src/cli/command-line/command-tree.js';
import { ENVIRONMENT } from '../../src/cli/settings/config/environment.js';
import {
  CONFIG_FIELDS,
  PROFILE_FIELDS,
  PROJECT_FIELDS,
  type Setting,
  settingNamed,
  SETTINGS,
} from '../../src/cli/settings/config/fields.js';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import packageJson from '../../package.json' with { type: 'json' };
import { readPage } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';
import { code, expectCurrentBlocks, formatPage, table } from './generated-page.js';

test('docs/configuration.md comes from the tables of settings and variables', () =>
  expectCurrentBlocks('docs/configuration.md', (kind, name) =>
    kind === 'settings' ? settingsTable() : variablesTable(name as keyof typeof ENVIRONMENT),
  ));

test('docs/petstore.config.schema.json comes from the table of settings', async () => {
  const properties = Object.entries(PROJECT_FIELDS).map(([name, { schema }]) => {
    const setting: Setting | undefined = settingNamed(name);
    return [name, { ...schema, ...(setting === undefined ? {} : { description: `${setting.summary}.` }) }];
  });
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'petstore.config.json',
    description:
      'Settings of a project for the petstore command. Never put an API key here: set PETSTORE_API_KEY.',
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    additionalProperties: false,
    definitions: {
      host: {
        type: 'string',
        minLength: 1,
        pattern: '^[^\\s/:@*_?#]+$',
        description: 'A bare host name, without scheme, port or path.',
      },
    },
  };
  const page = 'docs/petstore.config.schema.json';
  await expect(await formatPage(page, JSON.stringify(schema), 'json')).toMatchFileSnapshot(join(ROOT, page));
});

test('docs/commands.md comes from the commands', async () => {
  const tree = await readCommandTree();
  await expectCurrentBlocks('docs/commands.md', (kind) =>
    kind === 'global-flags'
      ? table(['flag', 'effect'], tree.globalFlags.map(flagRow))
      : tree.commands.map(commandSection).join('\n\n'),
  );
});

test('llms.txt lists the pages of the README', async () => {
  const rows = [...readPage('README.md').text.matchAll(/^\| (\[[^\]]+\]\([^)]+\)) +\| (.*?) +\|$/gm)];
  const pages = rows.map(([, link = '', content = '']) => `- ${link}: ${content}`);
  expect(pages.length).toBeGreaterThan(10);
  const text = `# ${packageJson.name}\n\n> ${packageJson.description}\n\n## Pages\n\n${pages.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, 'llms.txt'));
});

function settingsTable(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const files = [
      name in PROJECT_FIELDS ? code(name) : '',
      name in PROFILE_FIELDS ? code(`profiles.NAME.${name}`) : '',
      name in CONFIG_FIELDS ? code(name) : '',
    ];
    const { flag = '', variable = '', default: fallback = '', summary } = setting;
    return [escaped(summary), ...[flag, variable].map((word) => word && code(word)), ...files, fallback];
  });
  const files = ['`petstore.config.json`', 'profile in `config.json`', '`config.json`'];
  return table(['setting', 'flag', 'variable', ...files, 'default'], rows);
}

function variablesTable(topic: keyof typeof ENVIRONMENT): string {
  return table(
    ['variable', 'effect'],
    ENVIRONMENT[topic].map(({ name, summary }) => [code(name), escaped(summary)]),
  );
}

function commandSection({ words, description, usage, ...command }: CommandNode): string {
  const name = ['petstore', ...words].join(' ');
  const rows = [...command.arguments.map(argumentRow), ...command.flags.map(flagRow)];
  const notes = command.notes === undefined ? [] : ['```text', command.notes, '```', ''];
  const examples =
    command.isGroup || command.examples.length === 0 ? [] : ['```sh', ...command.examples, '```'];
  return [
    `## ${name}`,
    '',
    `${code(`${name} ${usage}`.trim())} – ${escaped(description)}`,
    '',
    ...(rows.length === 0 ? [] : [table(['argument or flag', 'effect'], rows), '']),
    ...notes,
    ...examples,
  ].join('\n');
}

function argumentRow({ name, summary, variadic }: ArgumentNode): string[] {
  return [code(variadic ? `${name}...` : name), escaped(summary)];
}

function flagRow({ long, short, placeholder, optional, summary }: FlagNode): string[] {
  const value = placeholder === undefined ? '' : optional ? ` [${placeholder}]` : ` <${placeholder}>`;
  return [code([short, long].filter((name) => name !== undefined).join(', ') + value), escaped(summary)];
}

/** Markdown would read these as markup. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<[\]]/g, '\\$&');
}
