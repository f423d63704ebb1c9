#!/bin/sh
# fetch-har, recorded requests with a query, and with a form that has a field twice.
#
# Guess: the request is the recorded one. url is absolute, with its query, and queryString has the query in parts.
# Version: fetch-har 11.1.1
# Behaviour: the parts are added to the query of url, so each parameter is sent twice: limit=5 becomes a list, or an
# error of the service. Recordings of browsers have both. A form field with two values is sent with the last one only.
# Output: GET /v1/pets?limit=5&limit=5 / POST /v1/search tag=old
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error fetch-har@11.1.1 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import fetchHAR from 'fetch-har';
const shown = [];
const server = createServer(async (request, response) => {
  shown.push(`${request.method} ${request.url} ${await text(request)}`.trim());
  response.end('[]');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const send = (method, path, fields) => {
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  const common = { httpVersion: 'HTTP/1.1', headers: [], cookies: [], queryString: [], headersSize: -1, bodySize: -1 };
  return fetchHAR({ log: { entries: [{ request: { ...common, method, url, ...fields } }] } });
};
await send('GET', '/v1/pets?limit=5', { queryString: [{ name: 'limit', value: '5' }] });
const params = ['young', 'old'].map((value) => ({ name: 'tag', value }));
await send('POST', '/v1/search', { postData: { mimeType: 'application/x-www-form-urlencoded', params } });
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'GET /v1/pets?limit=5&limit=5 / POST /v1/search tag=old' ]
