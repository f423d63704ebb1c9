#!/bin/sh
# ajv-formats, integers that are too long for the format int64.
#
# Guess: int64 has a range, as int32 has one.
# Version: ajv-formats 3.0.1, ajv 8.20.0
# Behaviour: int32 rejects 2^31. int64 accepts every whole number, also 2^63 and 1e300, which no service can store. A
# check against an OpenAPI document before a request finds no such id.
# Output: int32 2147483648 false / int64 9223372036854775808 true, 1e300 true
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error ajv@8.20.0 ajv-formats@3.0.1 > /dev/null
cat > run.js <<'JS'
const { Ajv } = require('ajv');
const ajv = require('ajv-formats').default(new Ajv());
const checks = (format, ...numbers) => {
  const validate = ajv.compile({ type: 'integer', format });
  return `${format} ${numbers.map((number) => `${number} ${validate(JSON.parse(number))}`).join(', ')}`;
};
console.log(`${checks('int32', '2147483648')} / ${checks('int64', '9223372036854775808', '1e300')}`);
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'int32 2147483648 false / int64 9223372036854775808 true, 1e300 true' ]
