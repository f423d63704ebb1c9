import { environmentTopic } from './environment-topic.js';
import { exitCodesTopic } from './exit-codes-topic.js';
import { MOCK_DNS_TOPIC } from './mock-dns-topic.js';

/** The texts of `petstore help TOPIC`, 80 columns at most. */
export const TOPIC_TEXTS: Readonly<Record<string, string>> = {
  'exit-codes': exitCodesTopic(),

  environment: environmentTopic(),

  formatting: `Output formats

On a terminal data is a table, fitted to the width. Piped, it is TSV: no
header, no colour, nothing cut. -o, PETSTORE_OUTPUT or the profile choose:

  table    columns, ids never cut
  json     one JSON document; an array for a list
  ndjson   one JSON object a line
  csv      RFC 4180, with a header line. A cell that a spreadsheet would run
           as a formula gets a leading '; --csv-raw leaves it as it is
  tsv      tab-separated, without a header
  yaml     YAML
  ids      one id a line

What can't be seen, such as an escape or a change of direction, is shown in
table, tsv and csv (^[, <U+202E>). json, ndjson and yaml carry it exactly, as
\\u escapes. A table too narrow for every column leaves some out.

  --json              same as -o json
  --json id,name      the same, with these fields
  --fields id,name    these fields, in this order, in any format
  --sort name         sort a list; --sort=-id for descending
  --no-header         no header line
  --query EXPRESSION  reshape with JMESPath (jmespath.org), after --sort and
                      --fields

What fields there are depends on the command, and for some on the format:
petstore commands --json lists them, the shell completes them, and a wrong one
is answered with those that there are.

Identifiers are 64-bit integers and keep every digit, in every format. Read
JSON with something that keeps them too.

Data goes to stdout. Notes, warnings, errors and count-downs go to stderr;
--quiet leaves out all of these but errors. An empty list is exit code 0.

  petstore pets list --query '[].name' -o json
  petstore pets list --query "[].join(': ', [to_string(id), name])"
  petstore pets list --status sold -o ids
`,

  'rate-limits': `Rate limits

The service allows a number of requests a minute and a day:

  plan        a minute    a day
  free              60    1,000
  pro              300   10,000
  business       1,000  100,000
  enterprise  as agreed

Every answer says how many requests are left and when the count starts anew;
petstore limits shows it. The plan is not in the answers: it is inferred from
the limit and the length of its window, and shown as inferred. petstore limits
--offline shows what is known already, without a request (petstore limits
--help).

When the limit is reached the service answers 429 and says how long to wait.
petstore waits at least that long, longer each time it happens again, and shows
a count-down on a terminal. It never asks earlier: hammering can get the key
banned for a while.

All commands of a machine that use the same key share one budget, in files of
the state directory: together they send no more than is left, who came first
goes first, and a 429 that one of them gets holds them all. A command that is
killed blocks nobody. PETSTORE_GATE chooses another place, such as a Redis for
all machines (help environment). Where it can't be reached or written there is a
warning, and each command keeps its own.

  --max-wait 5m   the longest wait to accept (60s), the queue included. A longer
                  one is exit code 6 at once, with the time to try again
                  (rows of petstore pets import may wait longer for one another)
  --reserve 20    leave 20 % of each limit to others: for bulk work on a key
                  that people at the counter use too
  --no-retry      do not wait and do not try again
  --timeout 10s   limit of one attempt

A read is tried again after a lost connection, a time-out, 408 and 5xx. A
write is tried again only where it is known not to have been carried out;
else it ends with exit code 10: look before you try again.
`,

  config: `Configuration

The first that says something wins:

  1  the flag                       --base-url, --profile, -o, --color
  2  the environment                PETSTORE_BASE_URL, ... (help environment)
  3  petstore.config.json           the nearest, from here upward
  4  the profile
  5  the default                    there is none for the base URL

petstore.config.json belongs to a project and may be shared:

  { "profile": "shop" }  or  { "baseUrl": "https://HOST/v1" }

It also says what the domain commands check:

  {
    "$schema": "./node_modules/petstore/docs/petstore.config.schema.json",
    "target": "cname.platform.example",
    "plan": "pro",
    "deployed": true,
    "domains": ["example.com", "shop.example.com"],
    "redirects": [
      { "from": "www.example.com", "to": "example.com", "status": 301 }
    ]
  }

An API key in it is an error: petstore auth login stores keys. Nor does a
baseUrl in it draw a key to another host: you are asked the first time. Where
nobody can be asked a stored key stays, and PETSTORE_API_KEY is sent with a
warning; a file of another user draws neither, nor does it choose a profile.

config.json is your own, with a profile for each service. petstore config reads
and changes it (petstore config --help), petstore auth stores keys:

  {
    "profile": "shop",
    "profiles": {
      "shop": {
        "baseUrl": "https://HOST/v1",
        "stagingUrl": "https://STAGING_HOST/v1",
        "output": "table",
        "color": "auto",
        "trustedUrls": ["https://OTHER_HOST"],
        "keyIn": "keychain"
      }
    },
    "trustedUrls": ["https://CI_HOST"]
  }

--staging uses the profile's stagingUrl. trustedUrls are where its key may go
besides; those outside of profiles are for PETSTORE_API_KEY, and are what
petstore config set trustedUrls sets while no profile is in use. keyIn tells
where the key is: in the keychain, which calls it "PROFILE in DIRECTORY", or in
the file keys/PROFILE.key beside config.json. config.json is looked for in

  PETSTORE_CONFIG_DIR
  XDG_CONFIG_HOME/petstore          where that is an absolute path
  ~/.config/petstore                (macOS: ~/Library/Preferences/petstore,
                                     Windows: %APPDATA%\\petstore)

petstore config path shows which one is in use, and petstore config list
--show-origin what is in force and what says so. One that belongs to another
user is refused. petstore doctor reports files that other users can write to.
`,

  'mock-dns': MOCK_DNS_TOPIC,
};
