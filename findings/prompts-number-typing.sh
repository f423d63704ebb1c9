#!/bin/sh
# prompts, a question for a number: typed with a pause, and outside min and max.
#
# Guess: a pause changes nothing. A number outside of the range is an error, as one that the option validate rejects.
# Version: prompts 2.4.2
# Behaviour: after a second without a key, the next digit begins a new number: 12, a pause and 3 are 3. A number
# outside of the range becomes its nearest end, without an error. A user who types 500 where 100 is the highest gets 100.
# Output: 1 2 3: 123 / 1 2 pause 3: 3 / 5 0 0 with max 100: 100 / 5 with min 10: 10
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error prompts@2.4.2 > /dev/null
cat > run.mjs <<'JS'
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import prompts from 'prompts';
const answer = async (keys, range) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  stdout.resume();
  const answers = prompts({ type: 'number', name: 'limit', message: 'Limit', stdin, stdout, ...range });
  for (const key of keys.split(' ')) {
    if (key === 'pause') await setTimeout(1200);
    else stdin.write(key);
    await setTimeout(20);
  }
  stdin.write('\r');
  return (await answers).limit;
};
const shown = [`1 2 3: ${await answer('1 2 3')}`, `1 2 pause 3: ${await answer('1 2 pause 3')}`];
shown.push(`5 0 0 with max 100: ${await answer('5 0 0', { max: 100 })}`);
shown.push(`5 with min 10: ${await answer('5', { min: 10 })}`);
console.log(shown.join(' / '));
JS
output=$(node run.mjs)
echo "$output"
[ "$output" = '1 2 3: 123 / 1 2 pause 3: 3 / 5 0 0 with max 100: 100 / 5 with min 10: 10' ]
