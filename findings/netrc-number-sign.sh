#!/bin/sh
# A .netrc file with a password that has a number sign, in the npm package netrc, curl and Python.
#
# Guess: a comment begins a line, or at least a word, so all three read the same login and password.
# Version: netrc 0.1.4 (npm), curl 7.88.1-10+deb12u15 of Debian, the netrc module of Python 3.11
# Behaviour: the package removes the rest of each line from the first # on. The password is returned without its end, and
# a login after it on the same line is missing. There is no error, and the same file works with curl.
# Output: npm undefined:ab / curl rex:ab#cd / Python rex:ab#cd
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error netrc@0.1.4 > /dev/null
echo 'machine 127.0.0.1 password ab#cd login rex' > file.netrc
cat > run.mjs <<'JS'
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import netrc from 'netrc';
const run = async (...command) => (await promisify(execFile)(command[0], command.slice(1))).stdout.trim();
const server = createServer(({ headers }, response) => {
  response.end(Buffer.from(headers.authorization.split(' ')[1], 'base64'));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const { login, password } = netrc('file.netrc')['127.0.0.1'];
const curl = await run('files/usr/bin/curl', '--silent', '--noproxy', '*', '--netrc-file', 'file.netrc', url);
const code = 'import netrc; print("{0}:{2}".format(*netrc.netrc("file.netrc").authenticators("127.0.0.1")))';
console.log(`npm ${login}:${password} / curl ${curl} / Python ${await run('python3', '-c', code)}`);
process.exit();
JS
output=$(LD_LIBRARY_PATH="$(echo "$folder"/files/usr/lib/*-linux-gnu*)" node run.mjs)
echo "$output"
[ "$output" = 'npm undefined:ab / curl rex:ab#cd / Python rex:ab#cd' ]
