#!/bin/sh
# node:dns in Deno and Bun, a name without TXT records, a server that fails, and a name that does not exist.
#
# Guess: the codes are those of Node.js: ENODATA, ESERVFAIL and ENOTFOUND.
# Version: Deno 2.9.6 and Bun 1.4.4 (Linux, x64), dns-packet 5.6.1, Node.js 20 to 26
# Behaviour: both report ENOTFOUND for a name that exists without such a record. Deno also does so for SERVFAIL. A check
# of a domain then reports a missing name while only a record is missing, or while the zone is broken.
# Output: Node.js ENODATA ESERVFAIL ENOTFOUND / Deno ENOTFOUND ENOTFOUND ENOTFOUND / Bun ENOTFOUND ESERVFAIL ENOTFOUND
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error \
  @deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64@1.4.4 dns-packet@5.6.1 > /dev/null
cat > run.mjs <<'JS'
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import process from 'node:process';
import { decode, encode } from 'dns-packet';
const responseCodes = { 'no-text.example.com': 0, 'fails.example.com': 2, 'missing.example.com': 3 };
const server = createSocket('udp4');
server.on('message', (bytes, { port, address }) => {
  const { id, questions } = decode(bytes);
  const flags = 0x580 | responseCodes[questions[0].name];
  server.send(encode({ type: 'response', id, flags, questions, answers: [] }), port, address);
});
server.bind(0, '127.0.0.1');
await once(server, 'listening');
const resolver = new promises.Resolver();
resolver.setServers([`127.0.0.1:${server.address().port}`]);
const codes = [];
for (const name of Object.keys(responseCodes)) {
  codes.push(await resolver.resolveTxt(name).then(String, ({ code }) => code));
}
console.log(codes.join(' '));
process.exit();
JS
export DENO_DIR="$folder/deno" DENO_NO_UPDATE_CHECK=1
deno=node_modules/@deno/linux-x64-glibc/deno
output="Node.js $(node run.mjs) / Deno $("$deno" run --quiet --allow-all run.mjs)"
output="$output / Bun $(node_modules/@oven/bun-linux-x64/bin/bun run.mjs)"
echo "$output"
expected='Node.js ENODATA ESERVFAIL ENOTFOUND / Deno ENOTFOUND ENOTFOUND ENOTFOUND / Bun ENOTFOUND ESERVFAIL ENOTFOUND'
[ "$output" = "$expected" ]
