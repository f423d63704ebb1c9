#!/bin/sh
# node:dns in Bun, a name with two TXT records, the first one of two strings.
#
# Guess: resolveTxt returns a list of strings for each record, as in Node.js, and resolveAny one entry for each record.
# Version: Bun 1.4.4 (Linux, x64), dns-packet 5.6.1, Node.js 20 to 26
# Behaviour: resolveTxt returns each string as a record, and resolveAny all strings of all records as one. A program
# that joins the strings of each record reads only the first 255 characters of a long SPF record or DKIM key.
# Output: Node.js [2,1] strings, any [2,1] / Bun [1,1,1] strings, any [3]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @oven/bun-linux-x64@1.4.4 dns-packet@5.6.1 > /dev/null
cat > run.mjs <<'JS'
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
const name = 'shop.example.com';
const record = (...data) => ({ type: 'TXT', name, ttl: 300, data });
const answers = [record('v=spf1 ip4:192.0.2.0', '/24 -all'), record('verified')];
const server = createSocket('udp4');
server.on('message', (bytes, { port, address }) => {
  const { id, questions } = decode(bytes);
  server.send(encode({ type: 'response', id, flags: 0x580, questions, answers }), port, address);
});
server.bind(0, '127.0.0.1');
await once(server, 'listening');
const resolver = new promises.Resolver();
resolver.setServers([`127.0.0.1:${server.address().port}`]);
const counts = (records) => JSON.stringify(records.map((strings) => strings.length));
const any = (await resolver.resolveAny(name)).map(({ entries }) => entries);
console.log(`${counts(await resolver.resolveTxt(name))} strings, any ${counts(any)}`);
process.exit();
JS
output="Node.js $(node run.mjs) / Bun $(node_modules/@oven/bun-linux-x64/bin/bun run.mjs)"
echo "$output"
[ "$output" = 'Node.js [2,1] strings, any [2,1] / Bun [1,1,1] strings, any [3]' ]
