// Preloaded with `node --require`: kills the process at one step of writing a file, as kill -9 or a power cut would. The
// steps are counted from 1: opening the draft in the lock, half of a write, a whole write, closing and renaming. With
// COPIED_FOLDER and COPIES, the process continues, and COPIES has a copy of COPIED_FOLDER for each step: what a kill there
// would leave.
const fs = require('node:fs');
const { basename, dirname, join } = require('node:path');

const {
  KILLED_FILE: name = '',
  KILLED_STEP: step = '',
  COPIED_FOLDER: copied = '',
  COPIES: copies = '',
} = process.env;
const original = { ...fs };
const descriptors = new Set();
let steps = 0;

function reach() {
  steps += 1;
  if (steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  if (copies !== '') original.cpSync(copied, join(copies, String(steps)), { recursive: true });
}

fs.openSync = (path, flags, ...rest) => {
  const isWritten =
    flags === 'wx' && basename(dirname(String(path))) === `${name}.lock` && String(path).endsWith('.next');
  if (isWritten) reach();
  const descriptor = original.openSync(path, flags, ...rest);
  if (isWritten) descriptors.add(descriptor);
  return descriptor;
};
fs.writeFileSync = (target, text, ...rest) => {
  if (!descriptors.has(target)) return original.writeFileSync(target, text, ...rest);
  reach();
  original.writeSync(target, text.slice(0, text.length >> 1));
  reach();
  original.writeFileSync(target, text.slice(text.length >> 1), ...rest);
};
fs.closeSync = (descriptor) => {
  if (descriptors.delete(descriptor)) reach();
  original.closeSync(descriptor);
};
fs.renameSync = (from, to) => {
  if (basename(String(to)) !== name) return original.renameSync(from, to);
  reach();
  original.renameSync(from, to);
  reach();
};
