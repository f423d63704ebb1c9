#!/bin/sh
# httpsnippet and its fork, a recorded request with a long id as code.
#
# Guess: the code sends the bytes that the HAR has, at least in a language with long integers.
# Version: httpsnippet 3.0.10, @readme/httpsnippet 11.1.0
# Behaviour: each target writes the body from the text or from parsed JSON, and parsed ids are rounded. curl and Python
# from the same HAR create pets in different categories. The fork rounds for curl, too.
# Output: httpsnippet: curl 9007199254740993, python 9007199254740992 / fork: curl 9007199254740992
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error httpsnippet@3.0.10 @readme/httpsnippet@11.1.0 > /dev/null
cat > run.mjs <<'JS'
import { HTTPSnippet as Fork } from '@readme/httpsnippet';
import { HTTPSnippet } from 'httpsnippet';
const idIn = (Snippet, ...target) => {
  const snippet = new Snippet({
    method: 'POST',
    url: 'https://api.example.test/v1/pets',
    postData: { mimeType: 'application/json', text: '{"name":"Rex","categoryId":9007199254740993}' },
  });
  return String(snippet.convert(...target)).match(/\d{16}/)[0];
};
const [curl, python] = [idIn(HTTPSnippet, 'shell', 'curl'), idIn(HTTPSnippet, 'python', 'requests')];
console.log(`httpsnippet: curl ${curl}, python ${python} / fork: curl ${idIn(Fork, 'shell', 'curl')}`);
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'httpsnippet: curl 9007199254740993, python 9007199254740992 / fork: curl 9007199254740992' ]
