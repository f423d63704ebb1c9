/**
 * A command line for each command, such as do its work, for tests of all of them: what follows the command's words. Where
 * they run there is `pets.csv`, and a key on stdin; the domains are those of the mock.
 */
export const COMMAND_LINES = {
  'pets list': '--status sold',
  'pets find': '7',
  'pets get': '7',
  'pets create': '--name Rex --category 7',
  'pets import': 'pets.csv',
  'pets export': '--out all.json',
  'domain records': 'blocked.example.test --target cname.platform.test',
  'domain verify': 'blocked.example.test --target cname.platform.test',
  'domain cert': 'shop.example.test',
  'domain redirects': 'www.example.test',
  'auth login': '--with-key --base-url https://pets.test/v1',
  'auth status': '',
  'auth logout': '',
  'auth key': '',
  'auth list': '',
  'auth switch': 'shop',
  'auth rename': 'shop counter',
  'auth delete': 'shop --yes',
  'config get': 'baseUrl --show-origin',
  'config set': 'output json',
  'config unset': 'baseUrl',
  'config list': '--show-origin',
  'config path': '',
  limits: '',
  api: '/pets -i',
  // No data that a mock takes: one that serves would not end by itself.
  mock: '--data pets.csv',
  doctor: '',
  completion: 'bash',
  commands: '',
  help: 'environment',
  version: '',
} as const satisfies Readonly<Record<string, string>>;

/** A command of the table above. */
export type LineCommand = keyof typeof COMMAND_LINES;
