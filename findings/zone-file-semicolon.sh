#!/bin/sh
# zone-file, TXT records with a semicolon, as DKIM, DMARC and CAA have it, and a TTL with a unit.
#
# Guess: a semicolon begins a comment outside quotes only (RFC 1035, section 5.1), and 1h is 3600 seconds.
# Version: zone-file 1.0.0
# Behaviour: the quoted text ends at the semicolon, so a DMARC record has no policy and a DKIM record no key. The TTL 1h
# is 1 second. There is no error, and the package's own writer writes a valid zone with the shorter records.
# Output: TTL 1 / _dmarc "v=DMARC1" / k1._domainkey "v=DKIM1"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error zone-file@1.0.0 > /dev/null
cat > run.js <<'JS'
const { makeZoneFile, parseZoneFile } = require('zone-file');
const zone = parseZoneFile(`$ORIGIN example.test.
$TTL 1h
_dmarc IN TXT "v=DMARC1; p=reject"
k1._domainkey IN TXT "v=DKIM1; k=rsa; p=MIIBIjANBg"
`);
const written = makeZoneFile(zone, '{txt}').match(/"[^"]*"/g);
console.log([`TTL ${zone.$ttl}`, ...zone.txt.map(({ name }, index) => `${name} ${written[index]}`)].join(' / '));
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'TTL 1 / _dmarc "v=DMARC1" / k1._domainkey "v=DKIM1"' ]
