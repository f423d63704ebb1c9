'use strict';
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { getRawAsset } = require('node:sea');

/**
 * Loads the keychain binding. The system loads libraries only from files, so it is in a private folder for a moment.
 *
 * @throws if the executable was built without the binding, or the folder does not allow execution.
 */
exports.loadKeyring = () => {
  const bytes = Buffer.from(getRawAsset('keyring.node'));
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
  try {
    const file = join(folder, 'keyring.node');
    writeFileSync(file, bytes, { mode: 0o700 });
    const binding = { exports: {} };
    process.dlopen(binding, file);
    return binding.exports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
