#!/bin/sh
# superagent with retry(3), a 429 with Retry-After: 60.
#
# Guess: the request is repeated after the minute, or not at all, or after a growing delay.
# Version: superagent 10.4.2
# Behaviour: 429 counts as a reason to repeat, and the three repetitions follow at once. Retry-After is not read, and
# there is no option for a delay. Each call over the limit costs four requests.
# Output: 429 after 4 requests, more than a second between them: false
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error superagent@10.4.2 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import superagent from 'superagent';
const times = [];
const server = createServer((_request, response) => {
  times.push(performance.now());
  response.writeHead(429, { 'retry-after': '60' }).end('[]');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const { status } = await superagent
  .get(url)
  .retry(3)
  .catch((error) => error);
const isSlow = times.some((time, index) => index > 0 && time - times[index - 1] > 1_000);
console.log(`${status} after ${times.length} requests, more than a second between them: ${isSlow}`);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '429 after 4 requests, more than a second between them: false' ]
