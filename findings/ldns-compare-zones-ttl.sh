#!/bin/sh
# ldns-compare-zones, two versions of a zone that differ in TTLs only, as before a move to another server.
#
# Guess: each record with another TTL is a change, or the manual says that TTLs do not count.
# Version: ldnsutils 1.8.3-1+b1 of Debian
# Behaviour: TTLs are not compared, and the manual does not say so. No change is counted, and -e exits with 0 instead of 2.
# A deployment that publishes only a changed zone never publishes the lower TTL before a move.
# Output: ttl: +0 -0 ~0, status 0 / address: +0 -0 ~1, status 2
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root ldnsutils=1.8.3-1+b1 libldns3=1.8.3-1+b1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
cat > old.zone <<'ZONE'
$ORIGIN example.com.
@ 3600 IN SOA ns hostmaster 1 3600 600 86400 60
@ 3600 IN NS ns
ns 3600 IN A 192.0.2.1
www 3600 IN A 192.0.2.2
ZONE
sed 's/ 3600 IN / 60 IN /' old.zone > ttl.zone
sed 's/192.0.2.2/192.0.2.3/' old.zone > address.zone
export LD_LIBRARY_PATH="$(echo "$folder"/files/usr/lib/*-linux-gnu*)"
compare() {
  status=0
  counts=$(files/usr/bin/ldns-compare-zones -e old.zone "$1.zone") || status=$?
  echo "$1: $(echo $counts), status $status"
}
output="$(compare ttl) / $(compare address)"
echo "$output"
[ "$output" = 'ttl: +0 -0 ~0, status 0 / address: +0 -0 ~1, status 2' ]
