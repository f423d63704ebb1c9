#!/bin/sh
# msw, setupServer() in Bun.
#
# Guess: listen() of msw 3 intercepts fetch in Bun, as that of msw 2 does, or it throws.
# Version: msw 3.0.5 and 2.15.0, Bun 1.4.4 (Linux, x64)
# Behaviour: msw 3 intercepts nothing. It prints one line, 'Failed to replace a global value at "_wrapHandle"', and
# listen() returns. Every request then goes to the real server. With msw 2, and in Node.js 24, it gets the mocked response.
# Output: 2.15.0 mocked, 3.0.5 real
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error \
  @oven/bun-linux-x64@1.4.4 msw2@npm:msw@2.15.0 msw3@npm:msw@3.0.5 > /dev/null
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
const real = createServer((_request, response) => response.end('real')).listen(0, '127.0.0.1');
await once(real, 'listening');
const address = `http://127.0.0.1:${real.address().port}/`;
const { http, HttpResponse } = await import(process.argv[2]);
const { setupServer } = await import(`${process.argv[2]}/node`);
const mocked = setupServer(http.get(address, () => HttpResponse.text('mocked')));
mocked.listen();
console.log(await (await fetch(address)).text());
process.exit();
JS
bun=node_modules/@oven/bun-linux-x64/bin/bun
output="2.15.0 $("$bun" run.mjs msw2 2> /dev/null), 3.0.5 $("$bun" run.mjs msw3 2> /dev/null)"
echo "$output"
[ "$output" = '2.15.0 mocked, 3.0.5 real' ]
