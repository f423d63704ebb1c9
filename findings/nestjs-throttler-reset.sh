#!/bin/sh
# @nestjs/throttler with one throttler: five requests in five seconds, one early and four late in the window.
#
# Guess: after the seconds of X-RateLimit-Reset, all five requests are free again.
# Version: @nestjs/throttler 6.7.1
# Behaviour: each request leaves the count five seconds after it was made. After the reset, only the early one has left:
# the next request is the last one that is free, and the reset says five seconds again.
# Output: at 0 s: 4 left, reset 5 / at 4 s: 0 left, reset 1 / at 5 s: 0 left, reset 5
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error @nestjs/core@12.5.1 @nestjs/common@12.5.1 \
  @nestjs/throttler@6.7.1 reflect-metadata@0.2 rxjs@7 > /dev/null
cat > run.js <<'JS'
require('reflect-metadata');
const { ThrottlerStorageService } = require('@nestjs/throttler');
let now = 1_800_000_000_000;
Date.now = () => now;
const storage = new ThrottlerStorageService();
const send = () => storage.increment('key', 5_000, 5, 5_000, 'default');
const line = (at, { totalHits, timeToExpire }) =>
  `at ${at} s: ${Math.max(0, 5 - totalHits)} left, reset ${timeToExpire}`;
void (async () => {
  const lines = [line(0, await send())];
  now += 4_000;
  for (let sent = 0; sent < 3; sent += 1) await send();
  lines.push(line(4, await send()));
  now += 1_000;
  lines.push(line(5, await send()));
  console.log(lines.join(' / '));
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'at 0 s: 4 left, reset 5 / at 4 s: 0 left, reset 1 / at 5 s: 0 left, reset 5' ]
