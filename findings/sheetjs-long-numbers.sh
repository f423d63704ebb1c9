#!/bin/sh
# SheetJS, rows with long integers as CSV.
#
# Guess: sheet_to_csv writes all digits of a safe integer, and rejects a BigInt.
# Version: xlsx 0.18.5
# Behaviour: From 12 digits on, an integer is written with six of them, as a cell of that width is displayed. sheet_to_json
# with raw: false does the same. The cell of a BigInt is empty. There is no error or warning.
# Output: 99999999999 1.23457E+11 1.23457E+11 ""
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error xlsx@0.18.5 > /dev/null
cat > run.mjs <<'JS'
import XLSX from 'xlsx';
const { utils } = XLSX;
const sheetOf = (id) => utils.json_to_sheet([{ id }]);
const csvOf = (id) => utils.sheet_to_csv(sheetOf(id)).split('\n')[1];
const [{ id }] = utils.sheet_to_json(sheetOf(123456789012), { raw: false });
console.log(csvOf(99999999999), csvOf(123456789012), id, JSON.stringify(csvOf(9007199254740993n)));
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '99999999999 1.23457E+11 1.23457E+11 ""' ]
