#!/bin/sh
# jsonpath-plus with a filter for an id, on JSON that was parsed with BigInt ids to keep every digit.
#
# Guess: the digits of the id in the path are kept, too, or a filter with a BigInt is an error.
# Version: jsonpath-plus 11.3.0
# Behaviour: the id in the path is a double, and == compares it with the exact BigInt. The filter for …993 selects the
# pet …992, and not the one that was meant. A script that updates the result updates another pet. A filter with ===
# selects neither.
# Output: == selects 9007199254740992 Mia / === selects nothing
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error jsonpath-plus@11.3.0 > /dev/null
cat > run.mjs <<'JS'
import { JSONPath } from 'jsonpath-plus';
const json = [
  { id: 9007199254740992n, name: 'Mia' },
  { id: 9007199254740993n, name: 'Rex' },
];
const selects = (operator) => {
  const pets = JSONPath({ path: `$[?(@.id ${operator} 9007199254740993)]`, json });
  return `${operator} selects ${pets.map(({ id, name }) => `${id} ${name}`).join(', ') || 'nothing'}`;
};
console.log(`${selects('==')} / ${selects('===')}`);
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '== selects 9007199254740992 Mia / === selects nothing' ]
