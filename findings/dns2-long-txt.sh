#!/bin/sh
# dns2, a TXT record of 300 characters, as a DKIM key has them.
#
# Guess: the text is split into strings of 255 characters (RFC 1035, section 3.3.14), or rejected.
# Version: dns2 3.0.0
# Behaviour: one string is written, and its length modulo 256. The package's own parser reads an answer without records.
# Output: 255 characters: length 255, 1 record / 300 characters: length 44, 0 records
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns2@3.0.0 > /dev/null
cat > run.js <<'JS'
const { Packet } = require('dns2');
const shown = [255, 300].map((count) => {
  const packet = new Packet();
  const data = 'v'.repeat(count);
  packet.answers.push({ name: 'dkim.example.test', type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 60, data });
  const bytes = packet.toBuffer();
  const { length } = Packet.parse(bytes).answers;
  return `${count} characters: length ${bytes.at(-count - 1)}, ${length} record${length === 1 ? '' : 's'}`;
});
console.log(shown.join(' / '));
JS
output=$(node run.js)
echo "$output"
[ "$output" = '255 characters: length 255, 1 record / 300 characters: length 44, 0 records' ]
