/** One word of the command line: a group of verbs, or a command by itself. */
export interface CommandEntry {
  /** For the command list in help. No final period. */
  summary: string;
  /** The verbs of a group, with their summaries. */
  verbs?: Readonly<Record<string, string>>;
  /** Whether arguments may follow, so that a word after `--json` is not a list of fields. */
  takesWords?: boolean;
}

/**
 * The commands. Root help, suggestions and the reading of argv need only this table, so that the code of a command is
 * loaded only when it runs.
 */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  pets: {
    summary: 'List, find, create, import and export pets',
    verbs: {
      list: 'List pets',
      get: 'Show one pet',
      create: 'Create a pet',
      import: 'Create a pet for each row of a file',
      export: 'Export all pets that can be listed',
    },
  },
  domain: {
    summary: 'Check custom domains and show the records they need',
    verbs: {
      records: 'Show the DNS records to set',
      verify: 'Check a domain and show what to fix',
      cert: 'Check the certificate that each address serves',
      redirects: 'Check the redirect entries',
    },
  },
  auth: {
    summary: 'Manage API keys and profiles',
    verbs: {
      login: 'Check a key with the service and store it',
      status: 'Show the active key and whether it is accepted',
      logout: 'Remove the stored key of a profile',
      key: 'Print the active key',
      list: 'List profiles',
      switch: 'Switch to another profile',
      rename: 'Rename a profile',
      delete: 'Delete a profile and its key',
    },
  },
  config: {
    summary: 'Read and change settings',
    verbs: {
      get: 'Print a setting',
      set: 'Change a setting',
      unset: 'Remove a setting',
      list: 'List the active settings',
      path: 'Print the path of the configuration file',
    },
  },
  limits: { summary: 'Show the rate limit: plan, remaining requests, reset' },
  api: { summary: 'Send any request to the service', takesWords: true },
  mock: {
    summary: 'Run an embedded mock service for offline work and tests',
    takesWords: true,
  },
  doctor: { summary: 'Check the set-up and explain problems' },
  completion: { summary: 'Print or install shell completion', takesWords: true },
  commands: { summary: 'List all commands, for people and tools' },
  help: { summary: 'Show help for a command or topic', takesWords: true },
  version: { summary: 'Show the version and where it runs' },
};

/** The help topics that are not commands. */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': 'Exit codes and their meaning',
  environment: 'Environment variables',
  formatting: 'Output formats, fields, sorting and queries',
  'rate-limits': 'How petstore keeps to the rate limit',
  config: 'Configuration files and precedence',
  'mock-dns': 'Domain names that the mock DNS server serves',
};

/** Whether these words, and no more, name a command or a group. */
export function isCommand(words: readonly string[]): boolean {
  const [first = '', second, third] = words;
  const entry = commandEntry(first);
  if (entry === undefined || third !== undefined) return false;
  return second === undefined || (entry.verbs !== undefined && Object.hasOwn(entry.verbs, second));
}

/** The entry of a first word, if there is such a command. Safe against words such as `constructor`. */
export function commandEntry(word: string): CommandEntry | undefined {
  return Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
}
