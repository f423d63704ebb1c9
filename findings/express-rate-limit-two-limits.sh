#!/bin/sh
# Two express-rate-limit limiters, per minute and per day, with default options.
#
# Guess: both kinds of response show the limit that is closest to its end, or always the same one.
# Version: express-rate-limit 8.7.5, express 5.3.0
# Behaviour: a 200 shows the limiter that ran last (the day), and a 429 the one that rejected (the minute). A client that
# reads the headers of a 200 never sees the limit of a minute before it is rejected.
# Output: 200 100 / 200 100 / 429 2
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error express@5.3.0 express-rate-limit@8.7.5 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
const app = express();
app.use(rateLimit({ limit: 2, windowMs: 60_000 }), rateLimit({ limit: 100, windowMs: 86_400_000 }));
app.get('/', (_request, response) => response.json([]));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const shown = [];
for (let sent = 0; sent < 3; sent += 1) {
  const { status, headers } = await fetch(`http://127.0.0.1:${server.address().port}/`);
  shown.push(`${status} ${headers.get('x-ratelimit-limit')}`);
}
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '200 100 / 200 100 / 429 2' ]
