#!/bin/sh
# retry-axios, a 429 with Retry-After: 0, and one with a date that has just passed.
#
# Guess: both say that the request may be repeated now, so it is.
# Version: retry-axios 4.0.3, axios 1.21.0
# Behaviour: the call fails after one request. With Retry-After: 1, or without the header, it is repeated. Limiters that
# round down send 0 in the last second of a window, and a clock that is ahead makes a date a passed one.
# Output: none: 200 after 2 / 1: 200 after 2 / 0: 429 after 1 / passed date: 429 after 1
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error axios@1.21.0 retry-axios@4.0.3 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import axios from 'axios';
import { attach } from 'retry-axios';
let sent;
let retryAfter;
const server = createServer((_request, response) => {
  sent += 1;
  response.writeHead(sent === 1 ? 429 : 200, retryAfter && { 'retry-after': retryAfter }).end('[]');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const client = axios.create({ raxConfig: {} });
attach(client);
const outcome = async (name, header) => {
  [sent, retryAfter] = [0, header];
  const { status } = await client.get(`http://127.0.0.1:${server.address().port}/`).catch(({ response }) => response);
  return `${name}: ${status} after ${sent}`;
};
const shown = [await outcome('none'), await outcome('1', '1'), await outcome('0', '0')];
shown.push(await outcome('passed date', new Date(Date.now() - 2_000).toUTCString()));
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'none: 200 after 2 / 1: 200 after 2 / 0: 429 after 1 / passed date: 429 after 1' ]
