#!/bin/sh
# cockatiel, a retry policy with maxAttempts: 3, and one with maxAttempts: 1.
#
# Guess: maxAttempts is the number of requests. Its README calls it "the number of attempts to make before giving up".
# Version: cockatiel 4.0.0
# Behaviour: it is the number of repetitions. Three attempts are four requests, and one attempt, which reads as "do not
# repeat", sends a second one. A POST whose response is lost can create a second pet.
# Output: maxAttempts 3: 4 requests / maxAttempts 1: 2 requests
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error cockatiel@4.0.0 > /dev/null
grep -q 'the number of attempts to make before giving up' node_modules/cockatiel/readme.md
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ConstantBackoff, handleAll, retry } from 'cockatiel';
let requests;
const server = createServer((_request, response) => {
  requests += 1;
  response.writeHead(503).end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const shown = [];
for (const maxAttempts of [3, 1]) {
  requests = 0;
  const policy = retry(handleAll, { maxAttempts, backoff: new ConstantBackoff(5) });
  const create = async () => {
    const { ok } = await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST' });
    if (!ok) throw new Error('failed');
  };
  await policy.execute(create).catch(() => {});
  shown.push(`maxAttempts ${maxAttempts}: ${requests} requests`);
}
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'maxAttempts 3: 4 requests / maxAttempts 1: 2 requests' ]
