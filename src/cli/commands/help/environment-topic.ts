import { ENVIRONMENT, type EnvironmentVariable } from '../../config/environment.js';
import { topicRows } from './topic-rows.js';

/** The text of `petstore help environment`, made of the table of variables. */
export function environmentTopic(): string {
  return `Environment variables

An empty variable counts as not set. A flag wins over a variable; a variable
wins over petstore.config.json and over the profile. petstore config list
--show-origin tells what is in force and what says so.

${table(ENVIRONMENT.program)}

Colour, the first that has an opinion: --color, PETSTORE_COLOR, NO_COLOR,
FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, the profile, and whether the
stream is a terminal. stdout and stderr are decided apart.

${table(ENVIRONMENT.color)}

The way to the service. The names of the proxies count in small letters too, and
those win. A loopback address is never sent to a proxy. Every request to the
service goes by the proxy; the domain commands go straight to the name servers,
resolvers (--doh too) and addresses they look at, for what a proxy sees is not
what is to be checked. --ca FILE names authorities for one command.

${table(ENVIRONMENT.network)}

Places. petstore help config tells where the configuration is looked for. What
the program may forget, the rate budget and the ids shown last, is in
PETSTORE_STATE_DIR, else in XDG_STATE_HOME/petstore, else in
~/.local/state/petstore (macOS: ~/Library/Application Support/petstore/state,
Windows: %LOCALAPPDATA%\\petstore\\state). The compiled program is kept in
XDG_CACHE_HOME/petstore/compiled, else in the system's place for caches.

${table(ENVIRONMENT.paths)}
`;
}

function table(variables: readonly EnvironmentVariable[]): string {
  return topicRows(variables.map(({ name, summary }) => ({ term: name, text: summary })));
}
