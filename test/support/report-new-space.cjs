// For `node -r`: when the process ends, prints the size of the young generation in bytes as the last line on stderr.
const { writeSync } = require('node:fs');
const { getHeapSpaceStatistics } = require('node:v8');

process.on('exit', () => {
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  writeSync(2, `\n${space_size}\n`);
});
