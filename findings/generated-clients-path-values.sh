#!/bin/sh
# Clients that swagger-typescript-api and orval make of an OpenAPI document, a path parameter with a number sign.
#
# Guess: the value is percent-encoded, as the style "simple" of the document says (OpenAPI 3.0, RFC 6570).
# Version: swagger-typescript-api 13.13.0, orval 7.13.2, openapi-fetch 0.17.0
# Behaviour: both put it in the URL as it is. What follows the # is not sent, so the DELETE of the tag litter#2 deletes
# the tag litter. openapi-fetch encodes it. orval has the option urlEncodeParameters, which is off by default.
# Output: swagger-typescript-api /tags/litter / orval /tags/litter / openapi-fetch /tags/litter%232
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error \
  swagger-typescript-api@13.13.0 orval@7.13.2 openapi-fetch@0.17.0 typescript@5.9.3 > /dev/null
cat > api.json <<'JSON'
{
  "openapi": "3.0.3", "info": { "title": "Pets", "version": "1" },
  "paths": { "/tags/{tag}": { "delete": {
    "operationId": "deleteTag",
    "parameters": [{ "name": "tag", "in": "path", "required": true, "schema": { "type": "string" } }],
    "responses": { "204": { "description": "Deleted" } }
  } } }
}
JSON
npx swagger-typescript-api generate --path api.json --output . --name swagger.ts > /dev/null
npx orval --input api.json --output orval.ts --client fetch > /dev/null
npx tsc --noCheck --target es2022 --module esnext swagger.ts orval.ts > /dev/null
cat > run.mjs <<'JS'
import createClient from 'openapi-fetch';
import { deleteTag } from './orval.js';
import { Api } from './swagger.js';
const baseUrl = 'https://api.example.test';
let path;
globalThis.fetch = async (request) => {
  path = new URL(request.url ?? request, baseUrl).pathname;
  return new Response(null, { status: 204 });
};
const clients = {
  'swagger-typescript-api': (tag) => new Api({ baseUrl }).tags.deleteTag(tag),
  orval: (tag) => deleteTag(tag),
  'openapi-fetch': (tag) => createClient({ baseUrl }).DELETE('/tags/{tag}', { params: { path: { tag } } }),
};
const shown = [];
for (const [name, call] of Object.entries(clients)) {
  await call('litter#2');
  shown.push(`${name} ${path}`);
}
console.log(shown.join(' / '));
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'swagger-typescript-api /tags/litter / orval /tags/litter / openapi-fetch /tags/litter%232' ]
