// Preloaded with `node --require`. Waits a random time, mostly short, before each access to a lock, as on a busy machine.
// So other processes act between any two steps. With KILLED_STEP, kills the process at that access instead.
const fs = require('node:fs');

const METHODS = [
  'linkSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readdirSync',
  'renameSync',
];
const step = Number(process.env.KILLED_STEP ?? 0);
const cell = new Int32Array(new SharedArrayBuffer(4));
let steps = 0;
for (const name of [...METHODS, 'rmSync', 'rmdirSync', 'statSync', 'unlinkSync', 'writeFileSync']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (/\.lock\b/.test(String(path))) {
      steps += 1;
      if (steps === step) process.kill(process.pid, 'SIGKILL');
      if (step === 0) Atomics.wait(cell, 0, 0, Math.random() ** 4 * 200);
    }
    return original(path, ...rest);
  };
}
