#!/bin/sh
# dns-packet, a query for the HTTPS record of a name.
#
# Guess: HTTPS (RFC 9460) is type 65, or the encoder rejects a type that it does not know.
# Version: dns-packet 5.6.1
# Behaviour: the query is sent with type 0, which is reserved. So is one for TYPE65, the spelling of RFC 3597. NSD, BIND
# and unbound answer it with NOERROR, as if the name had no HTTPS record. Only UNKNOWN_65 is type 65.
# Output: HTTPS 0, SVCB 0, TYPE65 0, UNKNOWN_65 65, CAA 257
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-packet@5.6.1 > /dev/null
cat > run.js <<'JS'
const { encode } = require('dns-packet');
const typeOf = (type) => encode({ type: 'query', questions: [{ name: 'example.test', type }] }).readUInt16BE(26);
console.log(['HTTPS', 'SVCB', 'TYPE65', 'UNKNOWN_65', 'CAA'].map((type) => `${type} ${typeOf(type)}`).join(', '));
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'HTTPS 0, SVCB 0, TYPE65 0, UNKNOWN_65 65, CAA 257' ]
