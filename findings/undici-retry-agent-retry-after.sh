#!/bin/sh
# RetryAgent of undici with default options, a 429 with Retry-After: 60, as limits of a minute have it.
#
# Guess: the request is repeated after 60 seconds, or the 429 is returned at once.
# Version: undici 7.30.2
# Behaviour: maxTimeout, 30 seconds by default, also limits the delay of the header. The request is repeated too early, up
# to five times. A service that restarts its delay at each early request rejects all of them.
# Output: 10: repeated after 10 s / 60: repeated after 30 s / 3600: repeated after 30 s
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error undici@7.30.2 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request, RetryAgent } from 'undici';
let sent;
let retryAfter;
const server = createServer((_request, response) => {
  sent += 1;
  response.writeHead(sent === 1 ? 429 : 200, sent === 1 ? { 'retry-after': retryAfter } : {}).end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
let delay;
const { setTimeout } = globalThis;
// The delay of the repetition is recorded, not waited for.
globalThis.setTimeout = (callback, milliseconds, ...rest) => {
  if (!new Error().stack.includes('retry-handler')) return setTimeout(callback, milliseconds, ...rest);
  delay = milliseconds;
  return setTimeout(callback, 1);
};
const outcome = async (seconds) => {
  [sent, retryAfter] = [0, seconds];
  await request(`http://127.0.0.1:${server.address().port}/`, { dispatcher: new RetryAgent(new Agent()) });
  return `${seconds}: repeated after ${delay / 1000} s`;
};
console.log(`${await outcome(10)} / ${await outcome(60)} / ${await outcome(3600)}`);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '10: repeated after 10 s / 60: repeated after 30 s / 3600: repeated after 30 s' ]
