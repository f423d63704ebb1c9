#!/bin/sh
# cockatiel, a retry policy with three attempts.
#
# Guess: maxAttempts is "the number of attempts to make before giving up", as its README says.
# Version: cockatiel 3.2.1, @lifeomic/attempt 3.1.0
# Behaviour: it is the number of repetitions after the first request. A call that fails costs four requests instead of
# three. maxAttempts: 1, for a request that must not be repeated, sends it twice. @lifeomic/attempt counts as expected.
# Output: cockatiel 3: 4 requests, 1: 2 requests / attempt 3: 3 requests, 1: 1 requests
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error cockatiel@3.2.1 @lifeomic/attempt@3.1.0 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { retry as attempt } from '@lifeomic/attempt';
import { ConstantBackoff, handleAll, retry } from 'cockatiel';
let requests;
const server = createServer((_request, response) => {
  requests += 1;
  response.writeHead(503).end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const call = async () => {
  const { status } = await fetch(`http://127.0.0.1:${server.address().port}/`);
  if (status !== 200) throw new Error(`status ${status}`);
};
const count = async (run, maxAttempts) => {
  requests = 0;
  await run(maxAttempts).catch(() => undefined);
  return `${maxAttempts}: ${requests} requests`;
};
const policy = (maxAttempts) => retry(handleAll, { maxAttempts, backoff: new ConstantBackoff(1) }).execute(call);
const other = (maxAttempts) => attempt(call, { maxAttempts, delay: 1 });
const shown = `cockatiel ${await count(policy, 3)}, ${await count(policy, 1)}`;
console.log(`${shown} / attempt ${await count(other, 3)}, ${await count(other, 1)}`);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'cockatiel 3: 4 requests, 1: 2 requests / attempt 3: 3 requests, 1: 1 requests' ]
