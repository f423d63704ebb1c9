/** One word of the command line: a group of verbs, or a command by itself. */
export interface CommandEntry {
  /** One line for the list in the help. */
  summary: string;
  /** The words that may follow, where this is a group. */
  verbs?: Readonly<Record<string, string>>;
  /** Whether plain words may follow as arguments, so that a word after `--json` is not a list of fields. */
  takesWords?: boolean;
}

/**
 * The words of the command line. Small and eager: root help, did-you-mean and the reading of argv need only this, so
 * that a command's own code is loaded when it is named and not before.
 */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  pets: {
    summary: 'List, look up, create, import and export animals',
    verbs: {
      list: 'List animals',
      get: 'Show one animal',
      create: 'Add an animal',
      import: 'Create an animal for each row of a file',
      export: 'Write down everything that can be listed',
    },
  },
  domain: {
    summary: 'Check custom domains, and show the records they need',
    verbs: {
      records: 'Show the records to set',
      verify: 'Tell what is wrong, and what to do',
      cert: 'Look at the certificate on the wire',
      redirects: 'Check the redirect entries',
    },
  },
  auth: {
    summary: 'Store API keys in profiles, and choose among them',
    verbs: {
      login: 'Store a key, once the service has accepted it',
      status: 'Tell which key is in force, and whether it is accepted',
      logout: 'Forget the stored key of a profile',
      key: 'Print the key in force',
      list: 'List the profiles',
      switch: 'Use another profile from now on',
    },
  },
  config: {
    summary: 'Read and change the settings of profiles',
    verbs: {
      get: 'Print a setting',
      set: 'Change a setting',
      unset: 'Take a setting out',
      list: 'List the settings in force',
      path: 'Print where the configuration is',
    },
  },
  limits: { summary: 'Show the rate limit: plan, requests left, reset' },
  api: { summary: 'Send any request to the service', takesWords: true },
  mock: {
    summary: 'Run an embedded mock of the service, for offline work and tests',
    takesWords: true,
  },
  doctor: { summary: 'Look at the set-up, and tell what is wrong with it' },
  completion: { summary: 'Let the shell complete commands, flags and values', takesWords: true },
  commands: { summary: 'List all commands, for people and for tools' },
  help: { summary: 'Explain a command or a topic', takesWords: true },
  version: { summary: 'Show the version and where it runs' },
};

/** The help topics that are not commands. */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': 'What each exit code means',
  environment: 'Environment variables',
  formatting: 'Output formats, fields, sorting and queries',
  'rate-limits': 'How the rate limit is kept',
  config: 'Configuration files and what wins over what',
  'mock-dns': 'The domain names that --mock and petstore mock --dns-port know',
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
