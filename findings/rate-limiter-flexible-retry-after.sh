#!/bin/sh
# rate-limiter-flexible with the header object of its README, on a request that is allowed.
#
# Guess: Retry-After is for rejected requests, in whole seconds (RFC 9110, section 10.2.3).
# Version: rate-limiter-flexible 11.4.0
# Behaviour: the README computes the header object from every result and says "set HTTP headers for the response". An
# allowed request with many requests left gets a Retry-After too, and it has a fraction.
# Output: 98 left, Retry-After with a fraction: true
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error rate-limiter-flexible@11.4.0 > /dev/null
grep -q '"Retry-After": rateLimiterRes.msBeforeNext / 1000' node_modules/rate-limiter-flexible/README.md
cat > run.js <<'JS'
const { RateLimiterMemory } = require('rate-limiter-flexible');
let now = 1_800_000_000_000;
Date.now = () => now;
const limiter = new RateLimiterMemory({ points: 100, duration: 5 });
void (async () => {
  await limiter.consume('key');
  now += 141;
  const { remainingPoints, msBeforeNext } = await limiter.consume('key');
  const retryAfter = String(msBeforeNext / 1000);
  console.log(`${remainingPoints} left, Retry-After with a fraction: ${retryAfter.includes('.')}`);
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = '98 left, Retry-After with a fraction: true' ]
