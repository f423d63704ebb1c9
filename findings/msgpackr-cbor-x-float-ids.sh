#!/bin/sh
# msgpackr and cbor-x, safe integers of more than 32 bits that another language reads.
#
# Guess: an integer is written as an integer, as the same packages do up to 32 bits, since both formats have 64 bits.
# Version: msgpackr 2.1.4, cbor-x 1.6.9, python3-msgpack 1.0.3-2+b1 and python3-cbor2 5.4.6-1+b1 of Debian
# Behaviour: from 2^32 on, it is written as a float. JavaScript reads the same number again, so its tests pass. In
# Python, the id is a float, too, and a path with it ends in ".0", which no service finds.
# Output: msgpackr 4294967295 4294967296.0 1795883887634564.0 / cbor-x 4294967295 4294967296.0 1795883887634564.0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root python3-msgpack=1.0.3-2+b1 python3-cbor2=5.4.6-1+b1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error msgpackr@2.1.4 cbor-x@1.6.9 > /dev/null
cat > run.js <<'JS'
const { writeFileSync } = require('node:fs');
const ids = [4294967295, 4294967296, 1795883887634564];
writeFileSync('ids.msgpack', require('msgpackr').pack(ids));
writeFileSync('ids.cbor', require('cbor-x').encode(ids));
JS
cat > run.py <<'PY'
import cbor2, msgpack
shown = {'msgpackr': msgpack.unpackb(open('ids.msgpack', 'rb').read()), 'cbor-x': cbor2.load(open('ids.cbor', 'rb'))}
print(' / '.join(' '.join([name, *map(str, ids)]) for name, ids in shown.items()))
PY
node run.js
output=$(PYTHONPATH=files/usr/lib/python3/dist-packages python3 run.py)
echo "$output"
ids='4294967295 4294967296.0 1795883887634564.0'
[ "$output" = "msgpackr $ids / cbor-x $ids" ]
