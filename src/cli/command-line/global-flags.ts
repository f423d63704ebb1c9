/** A flag that every command takes, anywhere on the line. */
export interface GlobalFlag {
  /** As commander reads it. */
  flags: string;
  summary: string;
}

/** What --max-wait is where nobody says. */
export const WAIT_MAX_DEFAULT_MS = 60_000;

/**
 * The global flags, in the order of the help. Data and nothing else: root help and the reading of argv use it without
 * the parser.
 */
export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: '--profile <name>', summary: 'use this profile of the configuration' },
  { flags: '--base-url <url>', summary: 'address of the service, /v1 included' },
  { flags: '--ca <file>', summary: 'also trust the authorities of this PEM file' },
  { flags: '--staging', summary: "use the profile's staging address" },
  { flags: '--mock', summary: 'use an embedded mock service: no key, no network' },
  { flags: '-o, --output <format>', summary: 'table, json, ndjson, csv, tsv, yaml or ids' },
  { flags: '--json [fields]', summary: 'same as -o json; all fields, or a list such as a,b' },
  { flags: '--fields <a,b>', summary: 'only these fields, in this order' },
  { flags: '--query <expression>', summary: 'reshape the data with a JMESPath expression' },
  { flags: '--sort <field>', summary: 'sort a list by a field; -FIELD for descending' },
  { flags: '--no-header', summary: 'no header line' },
  { flags: '--csv-raw', summary: 'do not guard CSV cells that look like formulas' },
  { flags: '--color <when>', summary: 'auto, always or never' },
  { flags: '--no-input', summary: 'never ask; fail and name the missing flag' },
  { flags: '-y, --yes', summary: 'answer yes, but not to where a key may be sent' },
  { flags: '--timeout <duration>', summary: 'limit of one attempt: 500ms, 30s, 2m (30s)' },
  {
    flags: '--max-wait <duration>',
    summary: `longest wait for the rate limit (${WAIT_MAX_DEFAULT_MS / 1_000}s)`,
  },
  { flags: '--reserve <percent>', summary: 'leave this share of each rate limit to others (0)' },
  { flags: '--no-retry', summary: 'one attempt and no waiting' },
  { flags: '--dry-run', summary: 'show the request, send nothing' },
  { flags: '--curl', summary: 'show the request as a curl command, send nothing' },
  { flags: '-q, --quiet', summary: 'no notes, no warnings, no progress' },
  { flags: '-v, --verbose', summary: 'log requests and answers, without the key' },
];

/** The two that answer by themselves, and of which no command hears. */
export const VERSION_FLAG: GlobalFlag = { flags: '-V, --version', summary: 'print the version' };
export const HELP_FLAG: GlobalFlag = { flags: '-h, --help', summary: 'print help, also after a command' };

/** What may be typed for a flag: its long name, and the short one where it has one. */
export function flagNames({ flags }: GlobalFlag): string[] {
  return flags.match(/--?[\w-]+/g) ?? [];
}
