#!/bin/sh
# NO_PROXY for the IPv6 loopback address, in curl, undici, proxy-from-env and axios.
#
# Guess: "localhost,127.0.0.1,::1" exempts http://[::1] in each of them, or there is another spelling that does.
# Version: curl 7.88.1-10+deb12u15 of Debian, undici 7.30.2, proxy-from-env 2.1.0, axios 1.21.1
# Behaviour: two packages read ::1 as the name ":" with port 1, and send the request to the proxy. They need [::1],
# which curl does not match. Only both spellings in one list are right for all four.
# Output: ::1 direct: curl axios / [::1] direct: undici proxy-from-env axios / both direct: all
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error axios@1.21.1 proxy-from-env@2.1.0 undici@7.30.2 > /dev/null
cat > run.mjs <<'JS'
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import axios from 'axios';
import { getProxyForUrl } from 'proxy-from-env';
import { EnvHttpProxyAgent, request } from 'undici';
const service = createServer((_request, response) => response.end('direct'));
await once(service.listen(0, '::1'), 'listening');
const proxy = createServer((_request, response) => response.end('proxy'));
proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
await once(proxy.listen(0, '127.0.0.1'), 'listening');
process.env.http_proxy = `http://127.0.0.1:${proxy.address().port}`;
const url = `http://[::1]:${service.address().port}/`;
const calls = {
  curl: async () => (await promisify(execFile)('files/usr/bin/curl', ['--silent', url])).stdout,
  undici: async () => (await request(url, { dispatcher: new EnvHttpProxyAgent() })).body.text(),
  'proxy-from-env': async () => getProxyForUrl(url) || 'direct',
  axios: async () => (await axios.get(url)).data,
};
const direct = async (list) => {
  process.env.no_proxy = list;
  const names = [];
  for (const [name, call] of Object.entries(calls)) {
    if ((await call().catch(() => 'proxy')) === 'direct') names.push(name);
  }
  return names.length === 4 ? 'all' : names.join(' ');
};
const list = 'localhost,127.0.0.1';
const [plain, brackets] = [await direct(`${list},::1`), await direct(`${list},[::1]`)];
const both = await direct(`${list},::1,[::1]`);
console.log(`::1 direct: ${plain} / [::1] direct: ${brackets} / both direct: ${both}`);
process.exit();
JS
output=$(LD_LIBRARY_PATH="$(echo "$folder"/files/usr/lib/*-linux-gnu*)" node run.mjs)
echo "$output"
[ "$output" = '::1 direct: curl axios / [::1] direct: undici proxy-from-env axios / both direct: all' ]
