#!/bin/sh
# dns-packet, a message that is encoded with the fields that the decoder shows.
#
# Guess: rcode and flag_aa are written as they are read.
# Version: dns-packet 5.6.1
# Behaviour: the encoder reads the number in flags only. A name server that sets rcode to NXDOMAIN answers NOERROR, and
# a decoded message with another rcode is sent with the old one.
# Output: rcode and flag_aa set: NOERROR, AA false / changed from SERVFAIL to NXDOMAIN: SERVFAIL
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-packet@5.6.1 > /dev/null
cat > run.js <<'JS'
const { decode, encode } = require('dns-packet');
const set = decode(encode({ type: 'response', id: 1, rcode: 'NXDOMAIN', flag_aa: true }));
const failed = decode(encode({ type: 'response', id: 1, flags: 2 }));
const { rcode } = decode(encode({ ...failed, rcode: 'NXDOMAIN' }));
console.log(
  `rcode and flag_aa set: ${set.rcode}, AA ${set.flag_aa} / changed from ${failed.rcode} to NXDOMAIN: ${rcode}`,
);
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'rcode and flag_aa set: NOERROR, AA false / changed from SERVFAIL to NXDOMAIN: SERVFAIL' ]
