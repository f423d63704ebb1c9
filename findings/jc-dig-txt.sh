#!/bin/sh
# jc, which turns the output of dig into JSON, with TXT records of two strings and with quotes.
#
# Guess: data is the text of the record, or its strings in quotes, as dig shows them.
# Version: jc 1.22.5-1 of Debian
# Behaviour: only the first and the last quote are removed, and no escape. Two strings, as long DKIM keys and SPF
# records have them, keep `" "` between them, and "é" stays \195\169. The value is neither the text nor what dig
# shows, and a check for the text of a record finds nothing.
# Output: v=spf1 ip4:192.0.2.0" "/24 -all | say \"hi\" | caf\195\169 | " "x
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root jc=1.22.5-1 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
cat > answer <<'ANSWER'
two.example.com.	3600	IN	TXT	"v=spf1 ip4:192.0.2.0" "/24 -all"
quoted.example.com.	3600	IN	TXT	"say \"hi\""
accent.example.com.	3600	IN	TXT	"caf\195\169"
empty.example.com.	3600	IN	TXT	"" "x"
ANSWER
cat > run.py <<'PY'
import sys, jc
print(' | '.join(record['data'] for record in jc.parse('dig', sys.stdin.read())[0]['answer']))
PY
output=$(PYTHONPATH=files/usr/lib/python3/dist-packages python3 run.py < answer)
printf "%s\n" "$output"
[ "$output" = 'v=spf1 ip4:192.0.2.0" "/24 -all | say \"hi\" | caf\195\169 | " "x' ]
