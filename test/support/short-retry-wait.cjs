// Loaded into a command with --require: the wait of 30 s before rows are sent again ends at once, or when the file
// PETSTORE_TEST_GO exists. The command needs another --timeout, because the default is 30 s too.
const { existsSync } = require('node:fs');

const { setTimeout: start } = globalThis;
const { PETSTORE_TEST_GO: go = '' } = process.env;
globalThis.setTimeout = (callback, delayMs, ...rest) => {
  if (delayMs !== 30_000) return start(callback, delayMs, ...rest);
  const poll = () => (go === '' || existsSync(go) ? callback() : start(poll, 10));
  return start(poll, 0);
};
