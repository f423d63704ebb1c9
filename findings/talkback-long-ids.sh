#!/bin/sh
# talkback, a recorder between a client and a service, with a long id in the request and in the response.
#
# Guess: a tape has the bytes of the response. A request that no tape has goes to the service.
# Version: talkback 4.2.0
# Behaviour: JSON is parsed for the tape and compared as numbers. The first run passes the response on as it was, and
# later runs replay another id. A DELETE of …992 is answered from the tape of …993 and never reaches the service.
# Output: recorded {"id":9007199254740993} / replayed {"id":9007199254740992} / 1 of 2 DELETEs at the service
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error talkback@4.2.0 > /dev/null
cat > run.js <<'JS'
const { once } = require('node:events');
const { createServer } = require('node:http');
const talkback = require('talkback');
const headers = { 'content-type': 'application/json' };
const seen = [];
const service = createServer(({ method }, response) => {
  seen.push(method);
  response.writeHead(200, headers).end('{"id":9007199254740993}');
});
const start = async () => {
  const { FallbackMode, RecordMode } = talkback.Options;
  const host = `http://127.0.0.1:${service.address().port}`;
  const options = {
    host,
    port: 0,
    path: 'tapes',
    record: RecordMode.NEW,
    fallbackMode: FallbackMode.NOT_FOUND,
  };
  const recorder = await talkback({ ...options, silent: true }).start();
  return (method, body) =>
    fetch(`http://127.0.0.1:${recorder.address().port}/v1/pets`, { method, headers, body });
};
void (async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const first = await start();
  const recorded = await (await first('GET')).text();
  for (const id of ['9007199254740993', '9007199254740992'])
    await (await first('DELETE', `{"id":${id}}`)).text();
  const replayed = (await (await (await start())('GET')).text()).replaceAll(/\s/g, '');
  const deleted = seen.filter((method) => method === 'DELETE').length;
  console.log(`recorded ${recorded} / replayed ${replayed} / ${deleted} of 2 DELETEs at the service`);
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
text='recorded {"id":9007199254740993} / replayed {"id":9007199254740992} / 1 of 2 DELETEs at the service'
[ "$output" = "$text" ]
