#!/bin/sh
# jsonpath-plus with paths of the JSONPath standard, RFC 9535.
#
# Guess: the path selects what the standard says, or it is a syntax error.
# Version: jsonpath-plus 11.3.0
# Behaviour: an index from the end, and a filter without parentheses, select nothing, without an error. The older
# spellings work. A search for pets to change finds none, and a test that expects no match passes.
# Output: $[-1] 0 of 1, $[-1:] 1 / $[?@.id>1] 0 of 2, $[?(@.id>1)] 2
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error jsonpath-plus@11.3.0 > /dev/null
cat > run.mjs <<'JS'
import { JSONPath } from 'jsonpath-plus';
const json = ['Rex', 'Mia', 'Jo'].map((name, index) => ({ id: index + 1, name }));
const count = (path) => `${path} ${JSONPath({ path, json }).length}`;
const last = `${count('$[-1]')} of 1, ${count('$[-1:]')}`;
console.log(`${last} / ${count('$[?@.id>1]')} of 2, ${count('$[?(@.id>1)]')}`);
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '$[-1] 0 of 1, $[-1:] 1 / $[?@.id>1] 0 of 2, $[?(@.id>1)] 2' ]
