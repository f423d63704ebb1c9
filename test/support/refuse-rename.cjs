// Preloaded with `node --require`: no file can get the name of the variable REFUSED_FILE, as in a folder that may not be
// changed.
const fs = require('node:fs');
const { basename } = require('node:path');

const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (basename(String(to)) === process.env.REFUSED_FILE)
    throw Object.assign(new Error('EACCES: permission denied, rename'), { code: 'EACCES' });
  renameSync(from, to);
};
