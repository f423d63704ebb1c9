#!/bin/sh
# @hey-api/openapi-ts with its transformers, an int64 id in a request and in a response.
#
# Guess: the id is a bigint in the types, so the client sends and returns each digit of it, as a number in JSON.
# Version: @hey-api/openapi-ts 0.95.0
# Behaviour: a bigint is sent as text, so a service that checks the schema of the same document rejects every id. The
# response is parsed as a number first, so the bigint that is returned looks exact and is that of another pet.
# Output: sent {"id":"9007199254740993"} / received {"id":9007199254740993} as 9007199254740992n
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @hey-api/openapi-ts@0.95.0 esbuild@0.25.12 \
  typescript@5.9.3 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } };
const content = { 'application/json': { schema } };
const responses = { 200: { description: 'Added', content } };
const post = { operationId: 'addPet', requestBody: { content }, responses };
const input = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: { '/pets': { post } } };
const sdk = { name: '@hey-api/sdk', transformer: true };
const plugins = ['@hey-api/client-fetch', '@hey-api/transformers', '@hey-api/typescript', sdk];
await createClient({ input, output: 'client', plugins, logs: { level: 'silent' } });
await build({
  stdin: {
    contents: "export * from './client/client.gen'; export * from './client/sdk.gen';",
    resolveDir: '.',
  },
  bundle: true,
  format: 'esm',
  outfile: 'client.mjs',
});
const { addPet, client } = await import('./client.mjs');
const answer = '{"id":9007199254740993}';
let sent;
const server = createServer(async (request, response) => {
  sent = await text(request);
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
client.setConfig({ baseUrl: `http://127.0.0.1:${server.address().port}` });
const { data } = await addPet({ body: { id: 9007199254740993n } });
process.stdout.write(
  `sent ${sent} / received ${answer} as ${data.id}${typeof data.id === 'bigint' ? 'n' : ''}\n`,
);
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'sent {"id":"9007199254740993"} / received {"id":9007199254740993} as 9007199254740992n' ]
