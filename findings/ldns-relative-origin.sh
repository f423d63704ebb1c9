#!/bin/sh
# ldns-read-zone and dnspython, a zone file with a relative name in $ORIGIN.
#
# Guess: the name is relative to the origin before it (RFC 1035, section 5.1), or an error.
# Version: ldnsutils 1.8.3-1+b1, python3-dnspython 2.3.0-1+deb12u1, libnet-dns-perl 1.36-1+deb12u1 of Debian
# Behaviour: ldns makes it a top-level domain, and dnspython leaves out all records below it, both without an error.
# BIND and Net::DNS read www.shop.example.com, and NSD rejects the file.
# Output: ldns www.shop. / dnspython ns.example.com. / Net::DNS ns.example.com. www.shop.example.com.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root ldnsutils=1.8.3-1+b1 libldns3=1.8.3-1+b1 \
  python3-dnspython=2.3.0-1+deb12u1 libnet-dns-perl=1.36-1+deb12u1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
cat > example.com.zone <<'ZONE'
$ORIGIN example.com.
$TTL 3600
@ SOA ns hostmaster 1 3600 600 86400 60
@ NS ns
ns A 192.0.2.1
$ORIGIN shop
www A 192.0.2.2
ZONE
cat > run.py <<'PY'
import dns.zone
zone = dns.zone.from_file('example.com.zone', origin='example.com.', relativize=False)
print(*(name for name, _, _ in zone.iterate_rdatas('A')))
PY
cat > run.pl <<'PERL'
use Net::DNS::ZoneFile;
my @records = Net::DNS::ZoneFile->new('example.com.zone')->read;
print join ' ', map { $_->owner . '.' } grep { $_->type eq 'A' } @records;
PERL
export LD_LIBRARY_PATH="$(echo "$folder"/files/usr/lib/*-linux-gnu*)"
last=$(files/usr/bin/ldns-read-zone example.com.zone | tail -n 1 | cut -f 1)
output="ldns $last / dnspython $(PYTHONPATH=files/usr/lib/python3/dist-packages python3 run.py)"
output="$output / Net::DNS $(perl -Ifiles/usr/share/perl5 run.pl)"
echo "$output"
[ "$output" = 'ldns www.shop. / dnspython ns.example.com. / Net::DNS ns.example.com. www.shop.example.com.' ]
