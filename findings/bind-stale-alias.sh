#!/bin/sh
# BIND as a resolver with stale-answer-client-timeout 0: an A record expires and is a CNAME now. Needs root and Debian 12.
#
# Guess: the first query after the TTL gets the old A record and refreshes the cache, the next one gets the new record.
# Version: bind9 1:9.18.49-1~deb12u3
# Behaviour: the refresh stores the CNAME, and a query for CNAME returns it. Queries for A still get the old A record,
# each time with a TTL of 30, until max-stale-ttl (a day). A client that waits for the TTL waits again and again.
# Output: A 30 198.51.100.7, CNAME new.example.test.
set -eu
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p archives/partial authority resolver
version='1:9.18.49-1~deb12u3'
apt-get -qq install -y --no-install-recommends --download-only -o APT::Sandbox::User=root \
  -o "Dir::Cache::archives=$folder/archives" "bind9=$version" "bind9-dnsutils=$version" > /dev/null
for package in archives/*.deb; do dpkg --extract "$package" root; done
PATH="$folder/root/usr/sbin:$folder/root/usr/bin:$PATH"
export LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"

# configure NAME PORT, with the rest on stdin.
configure() {
  {
    echo "controls {}; options { directory \"$folder/$1\"; listen-on port $2 { 127.0.0.1; }; listen-on-v6 { none; };"
    echo 'pid-file none; session-keyfile none; dnssec-validation no;'
    cat
  } > "$1/named.conf"
}
configure authority 5391 << 'CONF'
recursion no; }; zone "example.test" { type primary; file "zone"; };
CONF
configure resolver 5392 << 'CONF'
stale-cache-enable yes; stale-answer-enable yes; stale-answer-client-timeout 0; };
zone "example.test" { type forward; forward only; forwarders { 127.0.0.1 port 5391; }; };
CONF
# zone SERIAL RECORD
zone() {
  printf '@ 60 SOA @ @ %s 60 60 600 60\n@ 60 NS @\n@ 60 A 127.0.0.1\nnew 60 A 192.0.2.1\n%s\n' "$1" "$2" > authority/zone
}
ask() {
  dig +noall +answer +tries=10 +time=1 -p 5392 @127.0.0.1 shop.example.test "$1" | awk '!/^;/ { print $2, $5; exit }'
}

zone 1 'shop 1 A 198.51.100.7'
named -g -n 1 -c authority/named.conf 2> /dev/null &
authority=$!
named -g -n 1 -c resolver/named.conf 2> /dev/null &
until [ "$(ask A)" = '1 198.51.100.7' ]; do sleep 0.2; done
zone 2 'shop 60 CNAME new'
kill -HUP "$authority"
for _ in 1 2 3 4; do
  sleep 1
  ask A > /dev/null
done
alias=$(ask CNAME)
output="A $(ask A), CNAME ${alias#* }"
echo "$output"
[ "$output" = 'A 30 198.51.100.7, CNAME new.example.test.' ]
