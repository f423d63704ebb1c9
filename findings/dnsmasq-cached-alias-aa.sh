#!/bin/sh
# dnsmasq in front of a resolver, queries for the address and then for the alias of a name.
#
# Guess: an answer from the cache has no AA bit, as the first answer, which was forwarded.
# Version: dnsmasq-base 2.90-4~deb12u2 of Debian
# Behaviour: a query for the cached alias itself is answered with AA, one for the cached address behind it without. A
# check that knows the name servers of a zone by AA takes the cache for one.
# Output: A: AA 0, A again: AA 0, CNAME: AA 1, 1 query at the resolver
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root dnsmasq-base=2.90-4~deb12u2 libdbus-1-3 libgmp10 libhogweed6 libidn2-0 \
  libjansson4 libmnl0 libnetfilter-conntrack3 libnettle8 libnfnetlink0 libnftables1 libnftnl11 libxtables12 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-packet@5.6.1 > /dev/null
cat > run.js <<'JS'
const { spawn } = require('node:child_process');
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { readdirSync } = require('node:fs');
const { decode, encode } = require('dns-packet');
const open = async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
};
const name = 'www.example.com';
const answers = [
  { type: 'CNAME', name, ttl: 300, data: 'shop.example.com' },
  { type: 'A', name: 'shop.example.com', ttl: 300, data: '192.0.2.1' },
];
void (async () => {
  const resolver = await open();
  let queries = 0;
  resolver.on('message', (bytes, { port }) => {
    const { id, questions } = decode(bytes);
    queries += 1;
    resolver.send(encode({ type: 'response', id, flags: 0x180, questions, answers }), port, '127.0.0.1');
  });
  const client = await open();
  const free = await open();
  const { port } = free.address();
  free.close();
  const library = readdirSync('files/usr/lib').find((name) => name.includes('linux-gnu'));
  const settings = ['no-resolv', 'no-hosts', 'bind-interfaces', 'log-facility=-', 'pid-file='];
  settings.push(`port=${port}`, 'listen-address=127.0.0.1', `server=127.0.0.1#${resolver.address().port}`);
  const server = spawn('files/usr/sbin/dnsmasq', ['-k', '-C', '/dev/null', ...settings.map((each) => `--${each}`)], {
    env: { LD_LIBRARY_PATH: `files/usr/lib/${library}` },
  });
  await once(server.stderr, 'data');
  const ask = async (type) => {
    client.send(encode({ type: 'query', id: 1, flags: 0x100, questions: [{ name, type }] }), port, '127.0.0.1');
    const [bytes] = await once(client, 'message');
    return `AA ${Number(decode(bytes).flag_aa)}`;
  };
  const shown = [`A: ${await ask('A')}`, `A again: ${await ask('A')}`, `CNAME: ${await ask('CNAME')}`];
  console.log(`${shown.join(', ')}, ${queries} query at the resolver`);
  server.kill();
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'A: AA 0, A again: AA 0, CNAME: AA 1, 1 query at the resolver' ]
