/** A variable of the environment that the program, or the Node that runs it, heeds. */
export interface EnvironmentVariable {
  name: string;
  /** What it does, and what it may be. One sentence without a full stop. */
  summary: string;
}

/** Variables by what they are about, in the order of `petstore help environment`. */
export const ENVIRONMENT = {
  program: [
    {
      name: 'PETSTORE_API_KEY',
      summary:
        'the API key. There is no flag for it: what is on a command line can be read by others on the machine',
    },
    { name: 'PETSTORE_BASE_URL', summary: 'address of the service, /v1 included' },
    { name: 'PETSTORE_PROFILE', summary: 'the profile in use' },
    { name: 'PETSTORE_OUTPUT', summary: 'output format, as -o' },
    { name: 'PETSTORE_COLOR', summary: 'auto, always or never, as --color' },
    { name: 'PETSTORE_CONFIG_DIR', summary: 'where config.json is' },
    { name: 'PETSTORE_STATE_DIR', summary: 'where the rate budget and the like are kept' },
    {
      name: 'PETSTORE_GATE',
      summary:
        'how it is kept: file (default, for all commands of this machine), memory (for this command only) or, for many ' +
        "machines, redis://[[USER]:PASSWORD@]HOST[:PORT][/DB] (rediss:// for TLS; ?prefix= begins the keys' names)",
    },
    { name: 'PETSTORE_NO_INPUT', summary: 'any value: never ask, as --no-input' },
    { name: 'PETSTORE_FORCE_TTY', summary: 'a number of columns: print as on a terminal so wide' },
    {
      name: 'PETSTORE_ANNOTATIONS',
      summary: 'github: errors and warnings also as annotations of GitHub Actions',
    },
    { name: 'PETSTORE_DEBUG', summary: '1: also print the stack of an error' },
    { name: 'CI', summary: 'any value: never ask' },
  ],
  color: [
    { name: 'NO_COLOR', summary: 'any value: no colour' },
    {
      name: 'FORCE_COLOR',
      summary: 'any value: colour, also in a pipe; 1, 2 and 3 choose 16, 256 or all colours, 0 chooses none',
    },
    { name: 'CLICOLOR_FORCE', summary: 'any value but 0: colour, also in a pipe' },
    { name: 'CLICOLOR', summary: '0: no colour' },
    { name: 'TERM', summary: 'dumb: no colour; a name that ends in -256color: 256 colours' },
    { name: 'COLORTERM', summary: 'truecolor or 24bit: all colours' },
    { name: 'WT_SESSION', summary: 'any value: all colours; Windows Terminal sets it' },
  ],
  network: [
    { name: 'HTTPS_PROXY', summary: 'the proxy for an https:// address' },
    { name: 'HTTP_PROXY', summary: 'the proxy for an http:// address' },
    { name: 'ALL_PROXY', summary: 'the proxy where the other two name none' },
    { name: 'NO_PROXY', summary: 'hosts to go to directly, each with its sub-domains; * for all' },
    {
      name: 'NODE_EXTRA_CA_CERTS',
      summary: 'a PEM file: its authorities are trusted besides the usual ones',
    },
    {
      name: 'NODE_TLS_REJECT_UNAUTHORIZED',
      summary: 'never set it to 0: the key would go to whoever answers',
    },
  ],
  places: [
    { name: 'XDG_CONFIG_HOME', summary: 'the folder of config.json is below it, where it is absolute' },
    { name: 'XDG_STATE_HOME', summary: 'what the program may forget is below it, where it is absolute' },
    { name: 'XDG_CACHE_HOME', summary: 'the compiled program is below it, where it is absolute' },
    { name: 'HOME', summary: 'your own folder, ~ in the paths above and below' },
    { name: 'APPDATA', summary: 'Windows: the configuration is below it' },
    { name: 'LOCALAPPDATA', summary: 'Windows: what may be forgotten and the compiled program are below it' },
    { name: 'NODE_DISABLE_COMPILE_CACHE', summary: '1: do not keep the compiled program' },
  ],
} as const satisfies Readonly<Record<string, readonly EnvironmentVariable[]>>;

/** All of them, in that order. */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = Object.values(ENVIRONMENT).flat();
