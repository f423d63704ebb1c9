#!/bin/sh
# json-pointer, a name that is set in an object whose keys are ids.
#
# Guess: set adds missing parents as objects. Digits are an index only in an array that exists (RFC 6901, section 4).
# Version: json-pointer 0.6.2
# Behaviour: it adds an array if the next token has digits only. The id 1001 adds 1001 elements of null before it. An id
# from 2^32 - 1 on is no index, so JSON.stringify leaves the pet out, although get still finds it.
# Output: 1001: array of 1002 / 9007199254740991: get Rex, JSON {"pets":[]} / a1: {"pets":{"a1":{"name":"Rex"}}}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error json-pointer@0.6.2 > /dev/null
cat > run.js <<'JS'
const pointer = require('json-pointer');
const withPet = (id) => {
  const object = {};
  pointer.set(object, `/pets/${id}/name`, 'Rex');
  return object;
};
const shown = [`1001: array of ${JSON.parse(JSON.stringify(withPet('1001'))).pets.length}`];
const long = withPet('9007199254740991');
const found = pointer.get(long, '/pets/9007199254740991/name');
shown.push(`9007199254740991: get ${found}, JSON ${JSON.stringify(long)}`);
shown.push(`a1: ${JSON.stringify(withPet('a1'))}`);
console.log(shown.join(' / '));
JS
output=$(node run.js)
echo "$output"
expected='1001: array of 1002 / 9007199254740991: get Rex, JSON {"pets":[]} / a1: {"pets":{"a1":{"name":"Rex"}}}'
[ "$output" = "$expected" ]
