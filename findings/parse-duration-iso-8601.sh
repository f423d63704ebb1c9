#!/bin/sh
# parse-duration, durations of ISO 8601 and a difference.
#
# Guess: P1D and PT2H are read, so P1DT2H is, too. A text with a part that is not understood is null, as "10 apples" is.
# Version: parse-duration 2.1.9
# Behaviour: parts that are not understood are left out. P1DT2H loses its day, and P1M is a minute instead of a month. A
# minus sign counts at the beginning only: 1h -30m is 90 minutes.
# Output: P1D 24 h, PT2H 2 h, P1DT2H 2 h / P1M 1 min / 1h -30m 90 min
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error parse-duration@2.1.9 > /dev/null
cat > run.mjs <<'JS'
import parse from 'parse-duration';
const shown = (text, unit) => `${text} ${parse(text, unit)} ${unit}`;
const days = ['P1D', 'PT2H', 'P1DT2H'].map((text) => shown(text, 'h'));
console.log(`${days.join(', ')} / ${shown('P1M', 'min')} / ${shown('1h -30m', 'min')}`);
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = 'P1D 24 h, PT2H 2 h, P1DT2H 2 h / P1M 1 min / 1h -30m 90 min' ]
