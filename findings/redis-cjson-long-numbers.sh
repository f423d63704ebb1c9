#!/bin/sh
# Redis, a Lua script that decodes JSON with long numbers, and encodes it again.
#
# Guess: integers up to 2^53 keep their digits, as in a reply or in the arguments of redis.call.
# Version: redis-server 7.0.15-1~deb12u10 of Debian
# Behaviour: cjson.encode and tostring write 14 digits, redis.call all of them. A safe id of 16 digits, or a time in
# microseconds, is changed by a script that only stores the JSON again, or that builds a key with "..".
# Output: cjson [1.7958838876346e+15], tostring 1.7958838876346e+15, redis.call 1795883887634564
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root redis-server=5:7.0.15-1~deb12u10 redis-tools=5:7.0.15-1~deb12u10 \
  libatomic1 libjemalloc2 liblzf1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
export LD_LIBRARY_PATH="$(echo "$folder"/files/usr/lib/*-linux-gnu*)"
files/usr/bin/redis-server --port 0 --unixsocket "$folder/socket" --save '' > log &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
redis() { files/usr/bin/redis-cli -s "$folder/socket" "$@"; }
for _ in 1 2 3 4 5 6 7 8 9 10; do redis PING > ping 2>&1 && break || sleep 0.5; done
json=$(redis EVAL 'return cjson.encode(cjson.decode(ARGV[1]))' 0 '[1795883887634564]')
text=$(redis EVAL 'return tostring(tonumber(ARGV[1]))' 0 1795883887634564)
redis EVAL 'return redis.call("SET", KEYS[1], tonumber(ARGV[1]))' 1 key 1795883887634564 > reply
output="cjson $json, tostring $text, redis.call $(redis GET key)"
echo "$output"
[ "$output" = 'cjson [1.7958838876346e+15], tostring 1.7958838876346e+15, redis.call 1795883887634564' ]
