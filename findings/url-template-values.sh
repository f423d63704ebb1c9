#!/bin/sh
# url-template and @octokit/endpoint, a BigInt id and a date as values of a URL template.
#
# Guess: such a value is written as text, as `${value}` and URLSearchParams write it, or it is an error.
# Version: url-template 3.1.1, @octokit/endpoint 11.0.3
# Behaviour: all values but text, numbers and booleans count as objects, and these two have no keys. They are left out
# without an error. A DELETE of one pet becomes one of /pets/, and a list since a date becomes the whole list.
# Output: /pets/42 /pets/ /pets?since= / Octokit /pets?since=
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error url-template@3.1.1 @octokit/endpoint@11.0.3 > /dev/null
cat > run.mjs <<'JS'
import { endpoint } from '@octokit/endpoint';
import { parseTemplate } from 'url-template';
const since = new Date('2026-01-01T00:00:00Z');
const pet = parseTemplate('/pets/{id}');
const list = parseTemplate('/pets{?since}').expand({ since });
const { pathname, search } = new URL(endpoint('GET /pets{?since}', { since }).url);
console.log(`${pet.expand({ id: 42 })} ${pet.expand({ id: 42n })} ${list} / Octokit ${pathname}${search}`);
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '/pets/42 /pets/ /pets?since= / Octokit /pets?since=' ]
