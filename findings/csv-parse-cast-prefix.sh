#!/bin/sh
# csv-parse with cast: true, cells that begin like a number of another base.
#
# Guess: such a cell stays text, or becomes the number that it is in JavaScript (0x1F is 31).
# Version: csv-parse 7.0.3
# Behaviour: one function decides that it is a number, another one reads it up to the letter. The names 0x1F and 0b11
# are both 0, without an error. 1_000 stays text.
# Output: 0x1F -> 0, 0b11 -> 0, 0o17 -> 0, 1e2 -> 100, 1_000 -> "1_000"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error csv-parse@7.0.3 > /dev/null
cat > run.mjs <<'JS'
import { parse } from 'csv-parse/sync';
const cells = ['0x1F', '0b11', '0o17', '1e2', '1_000'];
const [row] = parse(cells.join(','), { cast: true });
console.log(cells.map((cell, index) => `${cell} -> ${JSON.stringify(row[index])}`).join(', '));
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '0x1F -> 0, 0b11 -> 0, 0o17 -> 0, 1e2 -> 100, 1_000 -> "1_000"' ]
