#!/bin/sh
# Prism as a proxy that checks requests by an OpenAPI document, a request and a response with a long int64 id.
#
# Guess: a proxy passes on the bytes that it checked, in both directions, or rejects them.
# Version: @stoplight/prism-cli 5.16.0
# Behaviour: the service gets another id, and so does the client: both bodies are parsed and written again. The id is
# reported as greater than 9007199254740991, which is no limit of int64 or of the document. Two cookies become one.
# Output: sent 9007199254740993, at the service 9007199254740992, received 9007199254740992, 1 of 2 cookies
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @stoplight/prism-cli@5.16.0 > /dev/null
cat > api.json <<'JSON'
{
  "openapi": "3.0.3",
  "info": { "title": "Pets", "version": "1" },
  "paths": {
    "/pets": {
      "post": {
        "requestBody": {
          "content": {
            "application/json": {
              "schema": { "type": "object", "properties": { "id": { "type": "integer", "format": "int64" } } }
            }
          }
        },
        "responses": { "200": { "description": "The pet" } }
      }
    }
  }
}
JSON
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
const idIn = (body) => body.match(/\d{16}/)[0];
const body = '{"id":9007199254740993}';
const headers = { 'content-type': 'application/json' };
let seen;
const service = createServer(async (request, response) => {
  seen = await text(request);
  response.writeHead(200, { ...headers, 'set-cookie': ['a=1', 'b=2'] }).end(body);
});
await once(service.listen(0, '127.0.0.1'), 'listening');
const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
const upstream = `http://127.0.0.1:${service.address().port}`;
const prism = spawn('node_modules/.bin/prism', [
  'proxy',
  'api.json',
  upstream,
  '-p',
  String(port),
  '-h',
  '127.0.0.1',
]);
for await (const line of prism.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
  if (line.includes('is listening')) break;
}
const response = await fetch(`http://127.0.0.1:${port}/pets`, { method: 'POST', headers, body });
const received = idIn(await response.text());
const cookies = response.headers.getSetCookie().length;
prism.kill();
console.log(
  `sent ${idIn(body)}, at the service ${idIn(seen)}, received ${received}, ${cookies} of 2 cookies`,
);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'sent 9007199254740993, at the service 9007199254740992, received 9007199254740992, 1 of 2 cookies' ]
