#!/bin/sh
# unbound with a zone file (auth-zone), a record with a TTL of its own before records without one.
#
# Guess: records without a TTL have that of $TTL (RFC 2308, section 4).
# Version: unbound 1.17.1-2+deb12u4 of Debian
# Behaviour: they have the TTL of the record before them. One temporary TTL of 300 is that of the rest of the file, too.
# NSD, BIND and Knot DNS give 3600 to these records of the same file.
# Output: a 3600, b 300, c 300, d 300
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root unbound=1.17.1-2+deb12u4 libevent-2.1-7 libnghttp2-14 \
  libprotobuf-c1 libpython3.11 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
port=$(node -e "const s = require('dgram').createSocket('udp4').bind(0, () => s.close(console.log(s.address().port)))")
cat > example.com.zone <<'ZONE'
$TTL 3600
@ SOA ns hostmaster 1 3600 600 86400 60
@ NS ns
ns A 192.0.2.1
a A 192.0.2.2
b 300 A 192.0.2.3
c A 192.0.2.4
d A 192.0.2.5
ZONE
cat > unbound.conf <<CONF
server:
  directory: "$folder"
  chroot: ""
  username: ""
  pidfile: ""
  interface: 127.0.0.1@$port
  module-config: "iterator"
remote-control:
  control-enable: no
auth-zone:
  name: example.com
  zonefile: example.com.zone
CONF
LD_LIBRARY_PATH=$(echo "$folder"/files/usr/lib/*-linux-gnu*) files/usr/sbin/unbound -d -c unbound.conf 2> log &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
cat > run.mjs <<'JS'
import { Resolver } from 'node:dns/promises';
import { setTimeout } from 'node:timers/promises';
const resolver = new Resolver({ timeout: 500, tries: 1 });
resolver.setServers([`127.0.0.1:${process.argv[2]}`]);
const resolve = (name) => resolver.resolve4(`${name}.example.com`, { ttl: true });
for (let tries = 0; tries < 50 && !(await resolve('ns').catch(() => false)); tries += 1) await setTimeout(200);
const shown = [];
for (const name of ['a', 'b', 'c', 'd']) shown.push(`${name} ${(await resolve(name))[0].ttl}`);
console.log(shown.join(', '));
JS
output=$(node run.mjs "$port")
echo "$output"
[ "$output" = 'a 3600, b 300, c 300, d 300' ]
