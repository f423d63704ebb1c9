#!/bin/sh
# urllib3 with default options, a 429 with the headers of the README of rate-limiter-flexible.
#
# Guess: the caller gets the response with status 429, and its headers.
# Version: python3-urllib3 1.26.12-1+deb12u4 of Debian, rate-limiter-flexible 11.4.0
# Behaviour: urllib3 repeats a 429 that has Retry-After without being asked to. A value with a fraction is an exception
# instead: status, other headers and body of the response are lost. Without Retry-After, the response is returned.
# Output: 429 Retry-After with a fraction: true / urllib3: InvalidHeader
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error rate-limiter-flexible@11.4.0 > /dev/null
apt-get download -q -o APT::Sandbox::User=root python3-urllib3=1.26.12-1+deb12u4 python3-six > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
cat > run.py <<'PY'
import sys, urllib3
try:
    print(urllib3.PoolManager().request('GET', sys.argv[1]).status)
except urllib3.exceptions.HTTPError as error:
    print(type(error).__name__)
PY
cat > run.js <<'JS'
const { spawn } = require('node:child_process');
const { createServer } = require('node:http');
const { RateLimiterMemory } = require('rate-limiter-flexible');
let now = 1_800_000_000_000;
Date.now = () => now;
const limiter = new RateLimiterMemory({ points: 1, duration: 5 });
const server = createServer(async (_request, response) => {
  const { msBeforeNext } = await limiter.consume('key').catch((rejection) => rejection);
  response.writeHead(429, { 'Retry-After': msBeforeNext / 1000 }).end('{}');
});
server.listen(0, '127.0.0.1', async () => {
  await limiter.consume('key');
  now += 141;
  const url = `http://127.0.0.1:${server.address().port}/`;
  const { status, headers } = await fetch(url);
  const hasFraction = headers.get('retry-after').includes('.');
  process.stdout.write(`${status} Retry-After with a fraction: ${hasFraction} / urllib3: `);
  const env = { ...process.env, PYTHONPATH: 'files/usr/lib/python3/dist-packages' };
  spawn('python3', ['run.py', url], { env, stdio: 'inherit' }).on('exit', () => process.exit());
});
JS
output=$(node run.js)
echo "$output"
[ "$output" = '429 Retry-After with a fraction: true / urllib3: InvalidHeader' ]
