#!/bin/sh
# The JMESPath function to_number in JavaScript and in Python, on the same texts.
#
# Guess: text is a number if it is one in JSON, as the specification says. All other text is null, in both languages.
# Version: jmespath 0.16.0 (npm), python3-jmespath 1.0.1-1 of Debian
# Behaviour: each uses the conversion of its language. Empty text is 0 in JavaScript, so a missing price counts, and
# 0x10 is 16. 1_000 is 1000 in Python. Both accept 007 and blanks.
# Output: npm [0,16,null,7] / Python [null,null,1000,7]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error jmespath@0.16.0 > /dev/null
apt-get download -q -o APT::Sandbox::User=root python3-jmespath=1.0.1-1 > /dev/null
dpkg -x python3-jmespath*.deb files
cat > run.js <<'JS'
const { search } = require('jmespath');
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((text) => search(text, 'to_number(@)'))));
JS
cat > run.py <<'PY'
import json, sys
from jmespath import search
numbers = [search('to_number(@)', text) for text in json.loads(sys.argv[1])]
print(json.dumps(numbers, separators=(',', ':')))
PY
texts='["","0x10","1_000"," 007 "]'
output="npm $(node run.js "$texts") / Python $(PYTHONPATH=files/usr/lib/python3/dist-packages python3 run.py "$texts")"
echo "$output"
[ "$output" = 'npm [0,16,null,7] / Python [null,null,1000,7]' ]
