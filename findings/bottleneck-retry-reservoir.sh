#!/bin/sh
# Bottleneck with a reservoir of five requests a minute and 300 ms between them, and a server that responds with 429.
#
# Guess: each request counts, also one that is repeated because the "failed" handler returns a delay.
# Version: bottleneck 2.19.5
# Behaviour: only the first request of a job counts. Repetitions take nothing from the reservoir and ignore minTime.
# A reservoir of 5 lets 15 requests through, and ten of them follow while the client is over the limit already.
# Output: 15 requests of 5, 0 left, repeated before minTime: true
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error bottleneck@2.19.5 > /dev/null
cat > run.js <<'JS'
const Bottleneck = require('bottleneck');
const limiter = new Bottleneck({
  reservoir: 5,
  reservoirRefreshAmount: 5,
  reservoirRefreshInterval: 60_000,
  minTime: 300,
});
limiter.on('failed', (_error, { retryCount }) => (retryCount < 2 ? 0 : null));
const times = [];
const request = async () => {
  times.push(performance.now());
  throw new Error('429');
};
void (async () => {
  await Promise.allSettled(Array.from({ length: 5 }, () => limiter.schedule(request)));
  const isEarly = times.some((time, index) => index > 0 && time - times[index - 1] < 200);
  const left = await limiter.currentReservoir();
  console.log(`${times.length} requests of 5, ${left} left, repeated before minTime: ${isEarly}`);
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = '15 requests of 5, 0 left, repeated before minTime: true' ]
