#!/bin/sh
# GNU datamash, the lowest, the highest and the first of three ids of 16 digits.
#
# Guess: min and max write the value of a line, as first and unique do, or at least a whole number.
# Version: datamash 1.7-2 of Debian
# Behaviour: computed numbers have 14 digits. Min, max and mode of ids, or of times in microseconds, are a value that no
# line has, and the same one for all three ids. A script that continues after the highest id repeats or skips rows.
# Output: min, max, mode, first: 1.7958838876346e+15 1.7958838876346e+15 1.7958838876346e+15 1795883887634564
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root datamash=1.7-2 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
ids='1795883887634564\n1795883887634565\n1795883887634566\n'
output="min, max, mode, first: $(printf "$ids" | LC_ALL=C files/usr/bin/datamash -t ' ' min 1 max 1 mode 1 first 1)"
echo "$output"
expected='min, max, mode, first: 1.7958838876346e+15 1.7958838876346e+15 1.7958838876346e+15 1795883887634564'
[ "$output" = "$expected" ]
