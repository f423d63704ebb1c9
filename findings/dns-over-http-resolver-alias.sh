#!/bin/sh
# dns-over-http-resolver, the address of a name with a CNAME, and a TXT record of two strings.
#
# Guess: resolve4 and resolveTxt return what they return in node:dns: addresses only, and the strings of each text.
# Version: dns-over-http-resolver 3.0.16
# Behaviour: resolve4 returns the alias as the first address, and resolveTxt as a text. The two strings become one with
# a blank between them. An SPF record whose strings end within a word then reads as another one (RFC 7208, section 3.3).
# Output: resolve4: shop.example.com. | 192.0.2.1 / resolveTxt: shop.example.com. | v=spf1 ip4:192.0.2.0 /24 -all
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-over-http-resolver@3.0.16 > /dev/null
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import Resolver from 'dns-over-http-resolver';
const alias = { name: 'www.example.com', type: 5, TTL: 300, data: 'shop.example.com.' };
const records = {
  A: { type: 1, data: '192.0.2.1' },
  TXT: { type: 16, data: '"v=spf1 ip4:192.0.2.0" "/24 -all"' },
};
const server = createServer(({ url }, response) => {
  const record = records[new URL(url, 'http://localhost').searchParams.get('type')];
  response.setHeader('content-type', 'application/dns-json');
  response.end(JSON.stringify({ Status: 0, Answer: [alias, { name: 'shop.example.com', TTL: 300, ...record }] }));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const resolver = new Resolver();
resolver.setServers([`http://127.0.0.1:${server.address().port}/dns-query`]);
const shown = [];
for (const method of ['resolve4', 'resolveTxt']) {
  const results = await resolver[method]('www.example.com');
  shown.push(`${method}: ${results.flat().join(' | ')}`);
}
console.log(shown.join(' / '));
process.exit();
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'resolve4: shop.example.com. | 192.0.2.1 / resolveTxt: shop.example.com. | v=spf1 ip4:192.0.2.0 /24 -all' ]
