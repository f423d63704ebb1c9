#!/bin/sh
# json-bigint, a decimal of more than 15 characters beside a long id.
#
# Guess: the options are about integers, and a decimal stays a number.
# Version: json-bigint 1.0.0
# Behaviour: only the length decides. With storeAsString, the sum 0.1 + 0.2 and an id of 16 digits that is safe are
# text, too. With useNativeBigInt, the whole response is rejected because of the decimal.
# Output: string string string / SyntaxError: Cannot convert 0.30000000000000004 to a BigInt
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error json-bigint@1.0.0 > /dev/null
cat > run.js <<'JS'
const jsonBigint = require('json-bigint');
const text = '[9007199254740993, 0.30000000000000004, 1000000000000000]';
const types = jsonBigint({ storeAsString: true })
  .parse(text)
  .map((value) => typeof value);
try {
  jsonBigint({ useNativeBigInt: true }).parse(text);
} catch (error) {
  console.log(`${types.join(' ')} / ${error.name}: ${error.message}`);
}
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'string string string / SyntaxError: Cannot convert 0.30000000000000004 to a BigInt' ]
