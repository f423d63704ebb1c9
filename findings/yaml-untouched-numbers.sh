#!/bin/sh
# yaml, a YAML file with long integers of which another key is changed with parseDocument(), which keeps comments.
#
# Guess: the other lines stay as they are, or at least keep their values.
# Version: yaml 2.9.1
# Behaviour: numbers that nobody changed are written from their rounded value. The maximum of int64 in an OpenAPI
# document becomes one that int64 does not have, and a long example becomes another id. 1.10 and the comment stay.
# Output: maximum: 9223372036854776000 # int64 / example: 9007199254740992 / version: 1.10 / title: Pets
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error yaml@2.9.1 > /dev/null
cat > run.js <<'JS'
const { parseDocument } = require('yaml');
const document = parseDocument(`maximum: 9223372036854775807 # int64
example: 9007199254740993
version: 1.10
title: Animals
`);
document.set('title', 'Pets');
console.log(document.toString().trim().split('\n').join(' / '));
JS
output=$(node run.js)
echo "$output"
expected='maximum: 9223372036854776000 # int64 / example: 9007199254740992 / version: 1.10 / title: Pets'
[ "$output" = "$expected" ]
