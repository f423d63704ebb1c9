#!/bin/sh
# koa-ratelimit in memory, a request over the limit.
#
# Guess: Retry-After is rounded up, and X-RateLimit-Reset is a whole number of seconds.
# Version: koa-ratelimit 6.0.0, koa 3.3.0
# Behaviour: Retry-After is rounded down, to 0 in a window of 900 ms, and the reset has a fraction. A client that waits as
# long as Retry-After says is rejected again.
# Output: 429 Retry-After 0, reset with a fraction: true
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error koa@3.3.0 koa-ratelimit@6.0.0 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
const app = new Koa();
app.use(ratelimit({ driver: 'memory', db: new Map(), max: 1, duration: 900 }));
app.use((context) => (context.body = []));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
let response;
for (let sent = 0; sent < 2; sent += 1) response = await fetch(`http://127.0.0.1:${server.address().port}/`);
const { status, headers } = response;
const hasFraction = headers.get('x-ratelimit-reset').includes('.');
console.log(`${status} Retry-After ${headers.get('retry-after')}, reset with a fraction: ${hasFraction}`);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '429 Retry-After 0, reset with a fraction: true' ]
