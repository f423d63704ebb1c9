// Loaded into a command with --require: the wait of 30 s before rows are sent again ends at once, or when the file
// PETSTORE_TEST_GO exists. The monotonic clock jumps, too. The command needs another --timeout, because the default is 30 s.
const { existsSync } = require('node:fs');

const WAIT_MS = 30_000;
const { setTimeout: start } = globalThis;
const { PETSTORE_TEST_GO: go = '' } = process.env;
const readTime = process.hrtime.bigint;
let skippedNs = 0n;
process.hrtime.bigint = () => readTime() + skippedNs;
globalThis.setTimeout = (callback, delayMs, ...rest) => {
  if (delayMs !== WAIT_MS) return start(callback, delayMs, ...rest);
  const poll = () => {
    if (go !== '' && !existsSync(go)) return start(poll, 10);
    skippedNs += BigInt(WAIT_MS) * 1_000_000n;
    return callback();
  };
  return start(poll, 0);
};
