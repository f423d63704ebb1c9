#!/bin/sh
# idna-uts46-hx, a name with ß below several top-level domains.
#
# Guess: toAscii converts a label in the same way everywhere, as browsers and node:url do, and undoes toUnicode.
# Version: idna-uts46-hx 6.2.2
# Behaviour: the top-level domain decides. The label is xn--strae-oqa below .de, and strasse below .com and .net, which
# is another domain. toUnicode and then toAscii change xn--strae-oqa.com to strasse.com. A check of DNS or of a
# certificate reports on that domain. The option transitionalProcessing: false prevents it.
# Output: .de equal to node:url true, .com strasse.com, .net strasse.net / and back: strasse.com
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error idna-uts46-hx@6.2.2 > /dev/null
cat > run.js <<'JS'
const { domainToASCII } = require('node:url');
const { toAscii, toUnicode } = require('idna-uts46-hx');
const [de, com, net] = ['de', 'com', 'net'].map((end) => toAscii(`straße.${end}`));
const isEqual = de === domainToASCII('straße.de');
const back = toAscii(toUnicode(domainToASCII('straße.com')));
console.log(`.de equal to node:url ${isEqual}, .com ${com}, .net ${net} / and back: ${back}`);
JS
output=$(node run.js)
echo "$output"
[ "$output" = '.de equal to node:url true, .com strasse.com, .net strasse.net / and back: strasse.com' ]
