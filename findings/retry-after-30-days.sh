#!/bin/sh
# got and axios-retry, a 429 with Retry-After of 30 days, as a monthly quota has it.
#
# Guess: the client waits, or the call fails. It does not send again while the quota is used up.
# Version: got 14.6.6, axios-retry 4.5.0, axios 1.21.1
# Behaviour: the delay is longer than a timer can be (2^31 ms, 24.8 days), so the timer ends after 1 ms. All
# repetitions follow at once. got waits up to 24 days, and ky any time. axios-retry adds up to a fifth to it.
# Output: got, 24 days: waits after 1 / got, 30 days: 429 after 4 / axios-retry, 30 days: 429 after 4
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error axios@1.21.1 axios-retry@4.5.0 got@14.6.6 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import got from 'got';
let days;
let sent;
const server = createServer((_request, response) => {
  sent += 1;
  response.writeHead(429, { 'retry-after': days * 86_400 }).end('[]');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const client = axios.create();
const retryCondition = ({ response }) => response.status === 429;
axiosRetry(client, { retries: 3, retryCondition, retryDelay: exponentialDelay });
const calls = { got: () => got(url, { retry: { limit: 3 } }), 'axios-retry': () => client.get(url) };
const outcome = async (name, count) => {
  [days, sent] = [count, 0];
  const status = calls[name]().catch(({ response }) => response.statusCode ?? response.status);
  return `${name}, ${days} days: ${await Promise.race([status, setTimeout(3_000, 'waits')])} after ${sent}`;
};
const shown = [await outcome('got', 24), await outcome('got', 30), await outcome('axios-retry', 30)];
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs 2> warnings)
echo "$output"
[ "$output" = 'got, 24 days: waits after 1 / got, 30 days: 429 after 4 / axios-retry, 30 days: 429 after 4' ]
