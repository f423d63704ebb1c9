#!/bin/sh
# ioredis-mock, a Lua script of a fixed window.
#
# Guess: numbers are those of Redis, where "125" - "125" % 60 is written as 120, and a returned 3.7 becomes 3.
# Version: ioredis-mock 8.13.1, ioredis 5.11.1
# Behaviour: scripts run in Lua 5.3, not 5.1. An argument in a calculation becomes a float, whose text ends in ".0", so
# the key of a window has another name than in Redis. A returned 3.7 stays 3.7, and a missing key is false instead of
# null.
# Output: window:120.0 3.7 false
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error ioredis@5.11.1 ioredis-mock@8.13.1 > /dev/null
cat > run.js <<'JS'
const Redis = require('ioredis-mock');
void (async () => {
  const redis = new Redis();
  const key = await redis.eval('return "window:" .. ARGV[1] - ARGV[1] % 60', 0, '125');
  const fraction = await redis.eval('return 3.7', 0);
  const missing = await redis.eval('return redis.call("GET", KEYS[1])', 1, 'missing');
  console.log(key, fraction, missing);
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'window:120.0 3.7 false' ]
