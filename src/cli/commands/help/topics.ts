import { TOPICS } from '../../command-line/command-table.js';
import { ENVIRONMENT, type EnvironmentVariable } from '../../settings/config/environment.js';
import { settingNamed } from '../../settings/config/fields.js';
import { EXIT_CODES } from '../../errors/exit-codes.js';

/** The text of `petstore help TOPIC`, in the form that `wrapText` reads; `undefined` if there is no such topic. */
export async function topicText(topic: string): Promise<string | undefined> {
  if (topic === 'mock-dns') {
    const { BUILT_IN_NAMES } = await import('../../../mock/index.js');
    return `${MOCK_DNS}${rows(BUILT_IN_NAMES.map(({ name, because }) => [name, because]))}\n`;
  }
  return Object.hasOwn(TEXTS, topic) ? TEXTS[topic] : undefined;
}

/** The texts of all topics. */
export async function topicTexts(): Promise<Readonly<Record<string, string>>> {
  const texts = Object.keys(TOPICS).map(async (topic) => [topic, (await topicText(topic)) ?? ''] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const TEXTS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

${rows(EXIT_CODES.map(({ code, name, summary }) => [String(code), `${name}: ${summary}`]))}

Output:
- On failure stdout is empty and stderr has the error.
- Domain commands, doctor and pets import print their results with every exit code.
- auth status prints its result if the service accepts or rejects the key.
- pets export prints the pets that it could list.
- A closed pipe (petstore pets list | head -1) is not a failure: exit code 0.

With -o json or -o ndjson, the error is one line of JSON:
    {"error": {"type", "message", "status", "code", "hint",
               "retryable", "retryAt", "exitCode"}}
`,

  environment: `Environment variables

An empty variable counts as unset. A flag overrides a variable; a variable overrides petstore.config.json and the
profile. To see which value is active and where it comes from:
  petstore config list --show-origin

${variables(ENVIRONMENT.program)}

Colour. The first of these that is set decides, separately for stdout and stderr: TERM=dumb, --color,
PETSTORE_COLOR, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR=0, the profile, whether the stream is a terminal.

${variables(ENVIRONMENT.color)}

Network:
- Names of proxy variables may also be lower case; lower case wins.
- Requests to the API go through the proxy, except to loopback addresses. Domain commands connect directly.

${variables(ENVIRONMENT.network)}

Directories:
- The state directory holds the rate budget, the ids for completion and imports of stdin. Do not delete the folder
  "imports" in it.
- A directory is not used if another user owns it or can write to it, or to one above. /tmp is no problem.

The state directory is PETSTORE_STATE_DIR or XDG_STATE_HOME/petstore if set, otherwise:

  Linux    ~/.local/state/petstore
  macOS    ~/Library/Application Support/petstore/state
  Windows  %LOCALAPPDATA%\\petstore\\state

${variables(ENVIRONMENT.paths)}
`,

  formatting: `Output formats

On a terminal the output is a table, fitted to the width. In a pipe it is TSV. -o, PETSTORE_OUTPUT or the profile
select another format:

  table    columns; ids are never truncated
  json     one JSON document; an array for a list
  ndjson   one JSON object a line
  csv      RFC 4180, with a header line
  tsv      tab-separated values, without header, colour or truncation
  yaml     YAML
  ids      one id a line

Select and sort:

  --json              Same as -o json
  --json id,name      The same, with these fields
  --fields id,name    Only these fields, in this order, in any format
  --sort name         Sort a list; --sort=-id for descending
  --no-header         Omit the header line
  --query EXPRESSION  Reshape with JMESPath (jmespath.org), after --sort and --fields

Values:
- Identifiers are 64-bit integers and keep every digit. Read JSON with a parser that keeps them.
- Control and bidi characters are shown in table, tsv and csv (^[, <U+202E>). json, ndjson and yaml hold
  control characters as escapes, and bidi characters only on a terminal.
- CSV text that a spreadsheet would run as a formula gets a ' before it. --csv-raw turns this off. tsv has no such
  guard, because scripts read it.

Streams:
- Data goes to stdout. Notes, warnings, errors and progress go to stderr.
- --quiet hides notes, warnings and progress, but not errors, and not that --mock stored nothing.

Examples:
  petstore pets list --query '[].name' -o json
  petstore pets list --query "[].join(': ', [to_string(id), name])"
  petstore pets list --status sold -o ids
`,

  'rate-limits': `Rate limits

The service limits requests per minute and per day:

    plan        per minute  per day
    free                60    1,000
    pro                300   10,000
    business         1,000  100,000
    enterprise  by contract

Remaining requests:
- petstore limits shows the remaining requests and the time of the reset (petstore limits --help).
- The API does not name the plan. It is inferred if the limit and the reset fit a published one.
- A limit that a 429 response revealed is shown as learned.

Headers that are read:
- X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset
- If these are missing: RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset
- Retry-After of a 429 response

Their values:
- A reset is a Unix time (seconds or milliseconds), an HTTP or ISO date, or up to 86,400 seconds from the response.
- Of a header that occurs twice, the stricter value counts.
- petstore limits quotes what can't be read. -v shows all headers.
- Without such headers, petstore learns how many requests pass until a 429, and when they pass again.

When the limit is reached:
- The service responds with 429 and the time to wait.
- petstore waits at least that long, and longer after each further 429. A terminal shows a countdown.
- petstore never sends earlier, because the service can ban the key.
- petstore limits --reset clears the stored waits and values of the key.

Shared budget:
- All commands on this machine that use the same key share one budget, in the state directory.
- Together they send no more requests than are left, in the order of arrival.
- PETSTORE_GATE selects another store, such as Redis for several machines (petstore help environment).
- If Redis fails, the commands on this machine share the budget in the state directory.

--max-wait, --reserve, --no-retry and --timeout change this (petstore --help). If a wait is longer than --max-wait, the
command exits with 6.

Retries:
- Reads are retried after a lost connection, a time-out, 408 and 5xx.
- Writes are retried only if they were certainly not carried out. Otherwise the command exits with 10: check the
  result before you retry.
`,

  config: `Configuration

The first source that sets a value wins:

1. Flags: --base-url, --profile, -o, --color
2. Environment variables: PETSTORE_BASE_URL and others (petstore help environment)
3. The nearest petstore.config.json, from the current directory upward
4. The profile
5. The default (the base URL has none)

petstore.config.json belongs to a project and can be shared. It names a profile or a base URL:
    { "profile": "shop" }
    { "baseUrl": "https://HOST/v1" }

It also sets what the domain commands check:
    {
      "target": "cname.platform.example",
      "plan": "pro",
      "deployed": true,
      "domains": ["example.com", "shop.example.com"],
      "redirects": [
        { "from": "www.example.com", "to": "example.com",
          "status": 301 }
      ]
    }

Keys and petstore.config.json:
- An API key in this file is an error. petstore auth login stores keys.
- A key is sent to the baseUrl of this file only after you confirm the host once for this key.
- Where no person can be asked, no key is sent there: set PETSTORE_BASE_URL, or list the host in trustedUrls.
- PETSTORE_API_KEY is sent to this machine, with a warning.
- If another user owns the file, no key is sent to its baseUrl and its profile is ignored.

config.json is your own file, with a profile for each service. petstore config reads and changes it
(petstore config --help), and petstore auth manages its keys:
    {
      "profile": "shop",
      "profiles": {
        "shop": {
          "baseUrl": "https://HOST/v1",
          "stagingUrl": "https://STAGING_HOST/v1",
          "output": "table",
          "color": "auto",
          "trustedUrls": ["https://OTHER_HOST"],
          "keyIn": "keychain",
          "keyOrigin": "https://HOST"
        }
      },
      "trustedUrls": ["https://CI_HOST"]
    }

${rows(['stagingUrl', 'trustedUrls', 'keyIn', 'keyOrigin'].map((name) => [name, settingNamed(name)?.summary ?? '']))}

config.json is in PETSTORE_CONFIG_DIR or XDG_CONFIG_HOME/petstore if set, otherwise:

  Linux    ~/.config/petstore
  macOS    ~/Library/Preferences/petstore
  Windows  %APPDATA%\\petstore

petstore config path prints its path. A file of another user is rejected.
`,
};

const MOCK_DNS = `Domain names of the mock DNS server

Each name shows one result of the domain checks. Their target is cname.platform.test. Try them offline:
  petstore --mock domain verify blocked.example.test
  petstore --mock domain records blocked.example.test -o zone

The platform also serves these names over HTTP and HTTPS, with its own certificate authority:
  petstore --mock domain cert cert-expired.example.test
  petstore --mock domain redirects redirect-loop.example.test
  petstore --mock domain verify shop.example.test --until active
  petstore --mock domain verify proxied.example.test --probe
- With --mock, "domain verify" checks the certificate only with --until active
  or --probe.
- Without a domain, the commands use those in .test of petstore.config.json.

To serve the names until ^C, for several commands or other programs:
  petstore mock --dns-port 5353
  petstore domain verify shop.example.test --target cname.platform.test --resolver 127.0.0.1:5353 --authoritative-port 5353 --no-certificate

--dns-zone FILE adds your own zones from a zone file (petstore mock --help).

Names:

`;

function variables(list: readonly EnvironmentVariable[]): string {
  return rows(list.map(({ name, summary }) => [name, summary]));
}

function rows(terms: readonly (readonly [term: string, text: string])[]): string {
  const width = Math.max(...terms.map(([term]) => term.length));
  return terms.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`).join('\n');
}
