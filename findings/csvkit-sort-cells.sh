#!/bin/sh
# csvsort and csvjson of csvkit, two rows whose ids are 1 and 0, and whose names are words for months.
#
# Guess: csvsort writes the same cells in another order. csvjson writes numbers and text.
# Version: csvkit 1.0.7-1, python3-agate 1.6.3-2 of Debian
# Behaviour: all cells are written again by a guess for each column. 0 and 1 alone are False and True, and June is a
# date in the year 1. With one more row, "2,Rex", the same rows keep their cells. Long ids lose digits in csvjson.
# Output: False,0001-05-01 True,0001-06-01 / 0,May 1,June 2,Rex / [{"id": 9007199254740992.0, "name": "Rex"}]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root csvkit=1.0.7-1 python3-csvkit=1.0.7-1 python3-agate=1.6.3-2 \
  python3-babel python-babel-localedata python3-isodate python3-leather python3-parsedatetime python3-pytimeparse \
  python3-six python3-slugify python3-text-unidecode python3-tz > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
export PYTHONPATH="$folder/files/usr/lib/python3/dist-packages"
ln -sfn "$folder/files/usr/share/python-babel-localedata/locale-data" "$PYTHONPATH/babel/locale-data"
printf 'id,name\n1,June\n0,May\n' > pets.csv
csvkit() { name=$1 && shift && python3 "files/usr/bin/$name" "$@"; }
sorted() { csvkit csvsort -c id "$@" | tail -n +2 | paste -sd ' ' -; }
json=$(printf 'id,name\n9007199254740993,Rex\n' | csvkit csvjson)
output="$(sorted pets.csv) / $(echo 2,Rex | cat pets.csv - | sorted) / $json"
echo "$output"
text='False,0001-05-01 True,0001-06-01 / 0,May 1,June 2,Rex / [{"id": 9007199254740992.0, "name": "Rex"}]'
[ "$output" = "$text" ]
