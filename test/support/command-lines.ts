import { readCommandTree } from '../../src/cli/program/read-command-tree.js';

/** Lines for the commands whose first example does not run where the tests are. */
const OWN_LINES: Readonly<Record<string, string>> = {
  'pets list': '--status sold',
  'pets find': '7',
  'pets import': 'pets.csv',
  'pets export': '--out all.json',
  'domain records': 'blocked.example.test --target cname.platform.test',
  'domain verify': 'blocked.example.test --target cname.platform.test',
  'domain cert': 'shop.example.test',
  'domain redirects': 'www.example.test',
  'auth login': '--with-key --base-url https://pets.test/v1',
  'auth switch': 'shop',
  'auth delete': 'shop --yes',
  'config get': 'baseUrl --show-origin',
  'config unset': 'baseUrl',
  'config list': '--show-origin',
  api: '/pets -i',
  // No data that a mock takes: one that serves would not end by itself.
  mock: '--data pets.csv',
  completion: 'bash',
  help: 'environment',
};

/**
 * A command line for each command, such as do its work, for tests of all of them: what follows the command's words. Where
 * they run there is `pets.csv`, and a key on stdin; the domains are those of the mock.
 */
export const COMMAND_LINES: Readonly<Record<string, string>> = Object.fromEntries(
  (await readCommandTree()).commands
    .filter(({ isGroup }) => !isGroup)
    .map(({ words, examples: [example = ''] }) => {
      const command = words.join(' ');
      return [command, OWN_LINES[command] ?? example.replace(`petstore ${command}`, '').trim()];
    }),
);
