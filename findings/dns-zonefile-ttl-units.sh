#!/bin/sh
# dns-zonefile, records whose TTL has a unit, as BIND and Knot DNS read it, or stands after the class.
#
# Guess: each record is read, or the first one that can't be is an error.
# Version: dns-zonefile 0.3.2
# Behaviour: a CNAME with 1h and an A record with "IN 300" are left out without an error. A TXT record without a name
# belongs to the zone itself instead of the name of the line before.
# Output: CNAME 0 of 1, A 1 of 2, TXT of @
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-zonefile@0.3.2 > /dev/null
cat > run.js <<'JS'
const { parse } = require('dns-zonefile').default;
const { a = [], cname = [], txt = [] } = parse(`$ORIGIN example.test.
$TTL 3600
www   1h CNAME shop
old   IN 300 A 192.0.2.1
shop  300 IN A 192.0.2.2
      TXT "a text"
`);
console.log(`CNAME ${cname.length} of 1, A ${a.length} of 2, TXT of ${txt.map(({ name }) => name)}`);
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'CNAME 0 of 1, A 1 of 2, TXT of @' ]
