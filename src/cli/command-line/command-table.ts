/** One word of the command line: a group of commands, or a command by itself. */
export interface CommandEntry {
  /** For the command list in help. No final period. */
  summary: string;
  /** Whether arguments may follow, so that a word after `--json` is not a list of fields. */
  takesWords?: boolean;
}

/** The commands, for help that loads none of them. */
export const COMMANDS = {
  pets: { summary: 'List, find, create, import and export pets' },
  domain: { summary: 'Check custom domains and show the records they need' },
  auth: { summary: 'Manage API keys and profiles' },
  config: { summary: 'Read and change settings' },
  limits: { summary: 'Show the rate limit: plan, remaining requests, reset' },
  api: { summary: 'Send any request to the service', takesWords: true },
  mock: { summary: 'Run an embedded mock service for offline work and tests', takesWords: true },
  doctor: { summary: 'Check the set-up and explain problems' },
  completion: { summary: 'Print or install shell completion', takesWords: true },
  commands: { summary: 'List all commands, for people and tools' },
  help: { summary: 'Show help for a command or topic', takesWords: true },
  version: { summary: 'Show the version' },
} satisfies Readonly<Record<string, CommandEntry>>;

/** The help topics that are not commands. */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': 'Exit codes and their meaning',
  environment: 'Environment variables',
  formatting: 'Output formats, fields, sorting and queries',
  'rate-limits': 'How petstore keeps to the rate limit',
  config: 'Configuration files and precedence',
  'mock-dns': 'Domain names that the mock DNS server serves',
};

/** Whether this is the first word of a command. Safe against words such as `constructor`. */
export function isCommandWord(word: string): word is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, word);
}
