#!/bin/sh
# fast-json-stringify, an int64 that is text, as database drivers return it.
#
# Guess: the digits of the text are written, since those of a BigInt are.
# Version: fast-json-stringify 7.3.10
# Behaviour: text becomes a double first. The id that the service sends is that of another row, or of none. There is no
# error. Fastify writes each response that has a schema in this way.
# Output: BigInt {"id":9007199254740993}, text {"id":9007199254740992}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error fast-json-stringify@7.3.10 > /dev/null
cat > run.js <<'JS'
const stringify = require('fast-json-stringify')({
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' } },
});
console.log(`BigInt ${stringify({ id: 9007199254740993n })}, text ${stringify({ id: '9007199254740993' })}`);
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'BigInt {"id":9007199254740993}, text {"id":9007199254740992}' ]
