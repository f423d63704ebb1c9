import { type Setting, SETTINGS } from './fields.js';

/** An environment variable that the program, or Node itself, reads. */
export interface EnvironmentVariable {
  name: string;
  /** Its effect and its values. Sentence case, no final period. */
  summary: string;
}

/** The variables by topic, in the order of `petstore help environment`. */
export const ENVIRONMENT = {
  program: [
    {
      name: 'PETSTORE_API_KEY',
      summary: 'The API key. There is no flag for it: other users of the machine can see command lines',
    },
    ...Object.values<Setting>(SETTINGS).flatMap(({ variable: name, flag, summary }) =>
      name === undefined
        ? []
        : [{ name, summary: flag === undefined ? summary : `${summary}, like ${flag}` }],
    ),
    { name: 'PETSTORE_CONFIG_DIR', summary: 'Directory of config.json' },
    { name: 'PETSTORE_STATE_DIR', summary: 'Directory of the rate budget and other state' },
    { name: 'PETSTORE_NO_INPUT', summary: 'Any value: never prompt, like --no-input' },
    {
      name: 'PETSTORE_FORCE_TTY',
      summary: 'A number of columns: print as on a terminal of that width, also help and errors',
    },
    {
      name: 'PETSTORE_ANNOTATIONS',
      summary: 'github: report errors and warnings as GitHub Actions annotations too',
    },
    { name: 'PETSTORE_DEBUG', summary: '1: print the stack trace of an error' },
    {
      name: 'CI',
      summary: 'Any value: no prompts and no progress line',
    },
    { name: 'SHELL', summary: 'Your shell, for completion install' },
    { name: 'ZDOTDIR', summary: 'Directory of .zshrc, for completion install' },
  ],
  color: [
    { name: 'NO_COLOR', summary: 'Any value: no colour' },
    { name: 'FORCE_COLOR', summary: 'Any value except 0: colour, also in a pipe. 0: no colour' },
    { name: 'CLICOLOR_FORCE', summary: 'Any value except 0: colour, also in a pipe' },
    { name: 'CLICOLOR', summary: '0: no colour' },
    { name: 'TERM', summary: 'dumb: never colour, and no progress line' },
  ],
  network: [
    { name: 'HTTPS_PROXY', summary: 'Proxy for https:// addresses' },
    { name: 'HTTP_PROXY', summary: 'Proxy for http:// addresses' },
    { name: 'ALL_PROXY', summary: 'Proxy if neither of the other two applies' },
    {
      name: 'NO_PROXY',
      summary:
        'Hosts to connect to directly, including their subdomains; prefixes such as 10.0.0.0/8; * for all',
    },
    {
      name: 'NODE_EXTRA_CA_CERTS',
      summary: 'A PEM file with additional certificate authorities to trust',
    },
    {
      name: 'NODE_TLS_REJECT_UNAUTHORIZED',
      summary: 'Never set it to 0: the key could then be sent to any server',
    },
  ],
  paths: [
    { name: 'XDG_CONFIG_HOME', summary: 'Parent directory of the configuration, if it is an absolute path' },
    { name: 'XDG_STATE_HOME', summary: 'Parent directory of the state, if it is an absolute path' },
    { name: 'XDG_CACHE_HOME', summary: 'Parent directory of the compile cache, if it is an absolute path' },
    { name: 'HOME', summary: 'Your home directory, shown as ~ on this page' },
    { name: 'PATH', summary: 'Folders in which doctor looks for another installation' },
    { name: 'APPDATA', summary: 'Windows: parent directory of the configuration' },
    { name: 'LOCALAPPDATA', summary: 'Windows: parent directory of the state and the compile cache' },
    { name: 'NODE_DISABLE_COMPILE_CACHE', summary: '1: do not use the compile cache' },
  ],
} satisfies Readonly<Record<string, readonly EnvironmentVariable[]>>;

export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = Object.values(ENVIRONMENT).flat();
