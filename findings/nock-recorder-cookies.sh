#!/bin/sh
# nock, a response with two cookies and a long id that its recorder turns into a fixture.
#
# Guess: the fixture answers as the service did. Its rawHeaders are a list of names and values, as the README says.
# Version: nock 14.0.17
# Behaviour: rawHeaders is an object, and only the last Set-Cookie is in it. The body is stored as parsed JSON, so the
# id is that of another pet. What tests with the fixture show of cookies and long ids is not what the service does.
# Output: service a=1 b=2 {"id":9007199254740993} / fixture b=2 {"id":9007199254740992}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error nock@14.0.17 > /dev/null
grep -q 'rawHeaders.*formatted as a flat array' node_modules/nock/README.md
cat > run.js <<'JS'
const { once } = require('node:events');
const http = require('node:http');
const { text } = require('node:stream/consumers');
const nock = require('nock');
const service = http.createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
  response.end('{"id":9007199254740993}');
});
const answer = async () => {
  const [response] = await once(http.get(`http://127.0.0.1:${service.address().port}/v1/pets/1`), 'response');
  return `${response.headers['set-cookie'].join(' ')} ${await text(response)}`;
};
void (async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  nock.recorder.rec({ output_objects: true, dont_print: true });
  const recorded = await answer();
  const fixture = JSON.stringify(nock.recorder.play());
  nock.restore();
  nock.activate();
  nock.define(JSON.parse(fixture));
  console.log(`service ${recorded} / fixture ${await answer()}`);
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'service a=1 b=2 {"id":9007199254740993} / fixture b=2 {"id":9007199254740992}' ]
