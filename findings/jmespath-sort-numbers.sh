#!/bin/sh
# The JMESPath function sort in two npm packages, on numbers.
#
# Guess: sort orders numbers by value, as sort_by and max of the same package do, and as the specification says.
# Version: jmespath 0.16.0, @jmespath-community/jmespath 1.3.0
# Behaviour: both check that all elements are numbers, and then sort them as text: 10 is before 9. The last price of
# sort is not max. A test with prices of one digit finds nothing. jmespath 1.1.0 of PyPI sorts by value.
# Output: original sort [10,100,9], sort_by [9,10,100], max 100 / community sort [10,100,9], sort_by [9,10,100], max 100
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error jmespath@0.16.0 @jmespath-community/jmespath@1.3.0 > /dev/null
cat > run.js <<'JS'
const pets = [{ price: 100 }, { price: 9 }, { price: 10 }];
const resultsOf = (library) =>
  Object.entries({ sort: 'sort([].price)', sort_by: 'sort_by(@, &price)[].price', max: 'max([].price)' })
    .map(([name, query]) => `${name} ${JSON.stringify(library.search(pets, query))}`)
    .join(', ');
const community = require('@jmespath-community/jmespath');
console.log(`original ${resultsOf(require('jmespath'))} / community ${resultsOf(community)}`);
JS
output=$(node run.js)
echo "$output"
results='sort [10,100,9], sort_by [9,10,100], max 100'
[ "$output" = "original $results / community $results" ]
