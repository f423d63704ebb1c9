// Preloaded with `node --require`: kills the process before a change of a file in KILLED_FOLDER, as kill -9 would. Changes
// are counted from 1: each call of node:fs that creates, writes, renames, links, copies, removes or syncs. With COPIED_FOLDER
// and COPIES, the process continues, and COPIES has a copy of COPIED_FOLDER for each change: what a kill there would leave.
const fs = require('node:fs');
const { join } = require('node:path');

const {
  KILLED_FOLDER: folder = '',
  KILLED_CHANGE: change = '',
  COPIED_FOLDER: copied = '',
  COPIES: copies = '',
} = process.env;
const descriptors = new Set();
let changes = 0;
let isCopying = false;

function reach() {
  if (isCopying) return;
  changes += 1;
  if (changes === Number(change)) process.kill(process.pid, 'SIGKILL');
  if (copies === '') return;
  isCopying = true;
  fs.cpSync(copied, join(copies, String(changes)), { recursive: true });
  isCopying = false;
}

const isInside = (path) => typeof path === 'string' && path.startsWith(folder);
for (const name of [
  'mkdirSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'renameSync',
  'linkSync',
  'copyFileSync',
  'writeFileSync',
]) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (isInside(path)) reach();
    return original(path, ...rest);
  };
}
const { openSync } = fs;
fs.openSync = (path, flags, ...rest) => {
  const isWritten = isInside(path) && flags !== 'r';
  if (isWritten) reach();
  const descriptor = openSync(path, flags, ...rest);
  if (isWritten) descriptors.add(descriptor);
  return descriptor;
};
for (const name of ['writeSync', 'ftruncateSync', 'fsyncSync', 'fdatasync', 'write']) {
  const original = fs[name];
  fs[name] = (descriptor, ...rest) => {
    if (descriptors.has(descriptor)) reach();
    return original(descriptor, ...rest);
  };
}
