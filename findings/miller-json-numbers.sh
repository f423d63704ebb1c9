#!/bin/sh
# Miller, CSV as JSON, with cells that look like a number to Miller.
#
# Guess: the output is JSON. A cell that is no number in JSON is text there, or is written as one in JSON.
# Version: miller 6.6.0-2+b3 of Debian
# Behaviour: a number keeps its spelling, without quotes, also one that JSON does not have: 0x1F, .5, 5. and 0b11.
# Every JSON parser rejects the whole file because of one such tag. 007 and +5 are text.
# Output: number 12 / string Rex 007 +5 / rejected 0x1F .5 5. 0b11 0o17
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q -o APT::Sandbox::User=root miller=6.6.0-2+b3 > /dev/null
for archive in *.deb; do dpkg -x "$archive" files; done
cat > run.js <<'JS'
const { execFileSync } = require('node:child_process');
const outcomes = {};
for (const tag of ['12', 'Rex', '007', '+5', '0x1F', '.5', '5.', '0b11', '0o17']) {
  const line = String(
    execFileSync('files/usr/bin/mlr', ['--icsv', '--ojsonl', 'cat'], { input: `tag\n${tag}\n` }),
  );
  let outcome = 'rejected';
  try {
    outcome = typeof JSON.parse(line).tag;
  } catch {}
  outcomes[outcome] = [...(outcomes[outcome] ?? []), tag];
}
console.log(
  Object.entries(outcomes)
    .map(([outcome, tags]) => `${outcome} ${tags.join(' ')}`)
    .join(' / '),
);
JS
output=$(node run.js)
echo "$output"
[ "$output" = 'number 12 / string Rex 007 +5 / rejected 0x1F .5 5. 0b11 0o17' ]
