// Preloaded (`node -r`): prints, as the last line on stderr, what the process had loaded when it ended.
const { writeSync } = require('node:fs');
const { relative } = require('node:path');

process.on('exit', () => {
  const files = Object.keys(require.cache).map((path) => relative(process.cwd(), path));
  writeSync(
    2,
    `\n${JSON.stringify([...files, ...process.moduleLoadList.filter((name) => /deps\/undici/.test(name))])}\n`,
  );
});
