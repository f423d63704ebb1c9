#!/bin/sh
# ratelimit-header-parser with the draft-8 header of express-rate-limit, which has the same authors.
#
# Guess: the parser reads it, or returns undefined, as it does without such a header.
# Version: ratelimit-header-parser 0.1.0, express-rate-limit 8.7.5, express 5.3.0
# Behaviour: it returns an object of NaN and an invalid date. A client that sends while remaining > 0 stops after the
# first response, and one that waits at remaining === 0 never waits.
# Output: draft-7: 5, 4, valid date / draft-8: NaN, NaN, invalid date
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error express@5.3.0 express-rate-limit@8.7.5 \
  ratelimit-header-parser@0.1.0 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { parseRateLimit } from 'ratelimit-header-parser';
const shown = [];
for (const standardHeaders of ['draft-7', 'draft-8']) {
  const app = express();
  app.use(rateLimit({ limit: 5, windowMs: 60_000, standardHeaders, legacyHeaders: false }));
  app.get('/', (_request, response) => response.json([]));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { limit, remaining, reset } = parseRateLimit(await fetch(`http://127.0.0.1:${server.address().port}/`));
  const date = Number.isNaN(reset.getTime()) ? 'invalid date' : 'valid date';
  shown.push(`${standardHeaders}: ${limit}, ${remaining}, ${date}`);
}
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'draft-7: 5, 4, valid date / draft-8: NaN, NaN, invalid date' ]
