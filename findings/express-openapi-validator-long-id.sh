#!/bin/sh
# express-openapi-validator, an int64 id in the path.
#
# Guess: the validator accepts or rejects the request. The handler reads the same req.params.id as without it.
# Version: express-openapi-validator 5.6.2, express 5.3.0
# Behaviour: it replaces the text by a number, which is rounded. A handler that takes care of long ids (BigInt, a text
# column) still deletes another pet. 2^63 and 0x10 are accepted, too.
# Output: 9007199254740993 -> 9007199254740992, 9223372036854775808 -> 9223372036854775808, 0x10 -> 16
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error express@5.3.0 express-openapi-validator@5.6.2 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import express from 'express';
import { middleware } from 'express-openapi-validator';
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } };
const paths = { '/pets/{id}': { delete: { parameters: [id], responses: { 200: { description: 'Deleted' } } } } };
const app = express();
app.use(middleware({ apiSpec: { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths } }));
app.delete('/pets/:id', (request, response) => response.send(String(BigInt(request.params.id))));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const shown = [];
for (const sent of ['9007199254740993', '9223372036854775808', '0x10']) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/pets/${sent}`, { method: 'DELETE' });
  shown.push(`${sent} -> ${await response.text()}`);
}
console.log(shown.join(', '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '9007199254740993 -> 9007199254740992, 9223372036854775808 -> 9223372036854775808, 0x10 -> 16' ]
