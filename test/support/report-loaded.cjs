// For `node -r`: when the process ends, prints the loaded files and undici modules as the last line on stderr.
const { writeSync } = require('node:fs');
const { relative } = require('node:path');

process.on('exit', () => {
  const files = Object.keys(require.cache)
    .map((path) => relative(process.cwd(), path))
    .filter((path) => !path.startsWith('test'));
  writeSync(
    2,
    `\n${JSON.stringify([...files, ...process.moduleLoadList.filter((name) => /deps\/undici/.test(name))])}\n`,
  );
});
