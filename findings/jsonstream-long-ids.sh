#!/bin/sh
# JSONStream, a list with a long id, a long decimal and null.
#
# Guess: it gives what JSON.parse gives: numbers, rounded if they are long, and one event for each element.
# Version: JSONStream 1.3.5, jsonparse 1.3.1
# Behaviour: an integer that would be rounded becomes text, and a decimal is rounded. One list has ids of two types, so
# id === stored and sums by "+" depend on the row. null gives no event, so counted rows differ from those of the list.
# Output: 7 number / 9007199254740993 string / 0.12345678901234568 number / 8 number / 4 of 5 elements
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error JSONStream@1.3.5 jsonparse@1.3.1 > /dev/null
cat > run.js <<'JS'
const { Readable } = require('node:stream');
const JSONStream = require('JSONStream');
const json = '[7, 9007199254740993, 0.1234567890123456789, null, 8]';
const shown = [];
Readable.from([json])
  .pipe(JSONStream.parse('*'))
  .on('data', (element) => shown.push(`${element} ${typeof element}`))
  .on('end', () => console.log([...shown, `${shown.length} of ${JSON.parse(json).length} elements`].join(' / ')));
JS
output=$(node run.js)
echo "$output"
[ "$output" = '7 number / 9007199254740993 string / 0.12345678901234568 number / 8 number / 4 of 5 elements' ]
