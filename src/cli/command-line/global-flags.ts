/** A flag that every command accepts, anywhere on the command line. */
export interface GlobalFlag {
  /** In the notation of commander. */
  flags: string;
  summary: string;
}

/** Default of --max-wait. */
export const WAIT_MAX_DEFAULT_MS = 75_000;

/** The global flags, in the order of the help. Plain data: root help and argv reading use it without the parser. */
export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: '--profile <name>', summary: 'Use this profile of the configuration' },
  { flags: '--base-url <url>', summary: 'Base URL of the service, including /v1' },
  { flags: '--ca <file>', summary: 'Also trust the certificate authorities in this file' },
  { flags: '--staging', summary: 'Use the staging URL of the profile' },
  { flags: '--mock', summary: 'Use an embedded mock service: no key, no network' },
  { flags: '-o, --output <format>', summary: 'Format: table, json, ndjson, csv, tsv, yaml or ids' },
  { flags: '--json [fields]', summary: 'Same as -o json; all fields, or a list such as a,b' },
  { flags: '--fields <a,b>', summary: 'Show only these fields, in this order' },
  { flags: '--query <expression>', summary: 'Reshape the data with a JMESPath expression' },
  { flags: '--sort <field>', summary: 'Sort a list by a field; -FIELD for descending' },
  { flags: '--no-header', summary: 'Omit the header line' },
  { flags: '--csv-raw', summary: 'Do not escape CSV cells that look like formulas' },
  { flags: '--color <when>', summary: 'Use colour: auto, always or never' },
  { flags: '--no-input', summary: 'Never prompt; fail and name the missing flag' },
  { flags: '-y, --yes', summary: 'Skip confirmation prompts (except sending a key to a new host)' },
  { flags: '--timeout <duration>', summary: 'Time limit of one attempt, such as 2m (default 30s)' },
  {
    flags: '--max-wait <duration>',
    summary: `Longest total wait for the rate limit (default ${WAIT_MAX_DEFAULT_MS / 1_000}s)`,
  },
  { flags: '--reserve <percent>', summary: 'Leave this share of each limit unused (default 0)' },
  { flags: '--no-retry', summary: 'Send one attempt; never wait or retry' },
  { flags: '--dry-run', summary: 'Show the request and send nothing' },
  { flags: '--curl', summary: 'Show the request as a curl command and send nothing' },
  { flags: '-q, --quiet', summary: 'Hide notes, warnings and progress' },
  { flags: '-v, --verbose', summary: 'Log requests and responses, without the key' },
];

/** Handled before any command runs. */
export const VERSION_FLAG: GlobalFlag = { flags: '-V, --version', summary: 'Print the version' };
export const HELP_FLAG: GlobalFlag = {
  flags: '-h, --help',
  summary: 'Print help, also for a single command',
};

/** The long name of a flag, and the short one if it has one. */
export function flagNames({ flags }: GlobalFlag): string[] {
  return flags.match(/--?[\w-]+/g) ?? [];
}
