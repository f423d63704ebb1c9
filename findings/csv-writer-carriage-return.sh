#!/bin/sh
# csv-writer, a note with a carriage return alone, as texts of old Macs and of some forms have it.
#
# Guess: the cell is in quotes, as cells with a line feed, a comma or a quote are (RFC 4180, section 2.6).
# Version: csv-writer 1.6.0, d3-dsv 3.0.1, csv-parse 7.0.3
# Behaviour: it is written without quotes. d3-dsv and the csv module of Python end the row there, so the rest of the
# note is the id of a row that nobody wrote. An import of it creates or changes a pet. csv-parse reads two rows.
# Output: "1,first\r77\n" / csv-parse 2 rows / d3-dsv ids 1 77 2
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error csv-parse@7.0.3 csv-writer@1.6.0 d3-dsv@3.0.1 > /dev/null
cat > run.mjs <<'JS'
import { parse } from 'csv-parse/sync';
import csvWriter from 'csv-writer';
import { csvParse } from 'd3-dsv';
const writer = csvWriter.createObjectCsvStringifier({
  header: [
    { id: 'id', title: 'id' },
    { id: 'note', title: 'note' },
  ],
});
const pets = [
  { id: 1, note: 'first\r77' },
  { id: 2, note: 'second' },
];
const csv = writer.getHeaderString() + writer.stringifyRecords(pets);
const ids = csvParse(csv).map(({ id }) => id);
const row = writer.stringifyRecords(pets.slice(0, 1));
const { length } = parse(csv, { columns: true });
console.log(`${JSON.stringify(row)} / csv-parse ${length} rows / d3-dsv ids ${ids.join(' ')}`);
JS
output=$(node run.mjs)
printf '%s\n' "$output"
[ "$output" = '"1,first\r77\n" / csv-parse 2 rows / d3-dsv ids 1 77 2' ]
