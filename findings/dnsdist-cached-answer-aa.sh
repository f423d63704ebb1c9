#!/bin/sh
# dnsdist with a packet cache in front of the name server of a zone.
#
# Guess: an answer with AA has the TTL of the zone, and an answer from a cache has no AA.
# Version: dnsdist 1.7.3-2 of Debian
# Behaviour: cached answers keep AA, and their TTL counts down. A check that reads a record's TTL from an answer with AA
# reads another one each time, and a fixed address looks as if it were looked up elsewhere, as that of an ALIAS is.
# Output: AA 1, TTL 300 / AA 1, TTL below 300: true / 1 query at the name server
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root dnsdist=1.7.3-2 libcdb1 libedit2 libfstrm0 libh2o-evloop0.13 liblmdb0 \
  libluajit-5.1-2 libnghttp2-14 libre2-9 libsnmp40 libsodium23 libwrap0 libwslay1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error dns-packet@5.6.1 > /dev/null
cat > run.js <<'JS'
const { spawn } = require('node:child_process');
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { readdirSync, writeFileSync } = require('node:fs');
const { setTimeout } = require('node:timers/promises');
const { decode, encode } = require('dns-packet');
const open = async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
};
const question = { name: 'www.example.com', type: 'A' };
void (async () => {
  const nameServer = await open();
  let queries = 0;
  nameServer.on('message', (bytes, { port }) => {
    const { id, questions } = decode(bytes);
    if (questions[0].name === question.name) queries += 1;
    const answers = [{ ...question, ttl: 300, data: '192.0.2.1' }];
    nameServer.send(encode({ type: 'response', id, flags: 0x400, questions, answers }), port, '127.0.0.1');
  });
  const client = await open();
  const free = await open();
  const { port } = free.address();
  free.close();
  const lines = [`setLocal("127.0.0.1:${port}")`, 'setSecurityPollSuffix("")'];
  lines.push(`newServer("127.0.0.1:${nameServer.address().port}")`, 'getPool(""):setCache(newPacketCache(1000))');
  writeFileSync('dnsdist.conf', lines.join('\n'));
  const library = readdirSync('files/usr/lib').find((name) => name.includes('linux-gnu'));
  const server = spawn('files/usr/bin/dnsdist', ['--supervised', '--disable-syslog', '-C', 'dnsdist.conf'], {
    env: { LD_LIBRARY_PATH: `files/usr/lib/${library}` },
  });
  await new Promise((resolve) => server.stdout.on('data', (text) => String(text).includes("as 'up'") && resolve()));
  const ask = async () => {
    client.send(encode({ type: 'query', id: 1, questions: [question] }), port, '127.0.0.1');
    const { flag_aa: aa, answers } = decode((await once(client, 'message'))[0]);
    return [`AA ${Number(aa)}`, answers[0].ttl];
  };
  const [first, ttl] = await ask();
  await setTimeout(2_000);
  const [second, remaining] = await ask();
  const lower = `TTL below ${ttl}: ${remaining < ttl}`;
  console.log(`${first}, TTL ${ttl} / ${second}, ${lower} / ${queries} query at the name server`);
  server.kill();
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'AA 1, TTL 300 / AA 1, TTL below 300: true / 1 query at the name server' ]
