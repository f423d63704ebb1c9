'use strict';
// The main script of the single executable. build.mjs embeds the files of dist/cli and their code caches as assets.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { getRawAsset } = require('node:sea');
const { createLoader } = require('../../src/cli/startup/load-chunks.ts');

const folder = dirname(process.execPath);

const load = createLoader(
  { folder, read: (name) => ({ text: textOf(name), cachedData: asset(`${name}.cache`) }) },
  // `require` of a single executable finds built-in modules only.
  (id) => (id === '@napi-rs/keyring' ? loadKeyring() : require(id)),
);

// The command starts the keychain process with Node and a script. Here, Node is this executable.
if (process.argv[2] === join(folder, 'keychain-main.cjs')) load('./keychain-main.cjs');
else {
  load('./main.cjs').main(
    () => load('./program.cjs'),
    () => ({
      completeLine: (words, host) => load('./complete-line.cjs').completeLine(words, host, readTree),
    }),
  );
}

function readTree() {
  return JSON.parse(textOf('command-tree.json'));
}

function textOf(name) {
  return asset(name).toString();
}

/** The bytes in the executable, which is in memory: not a copy. */
function asset(name) {
  return Buffer.from(getRawAsset(name));
}

/**
 * Loads the keychain binding. The system loads libraries only from files, so it is in a private folder for a moment.
 *
 * @throws if the executable was built without the binding, or the folder does not allow execution.
 */
function loadKeyring() {
  const bytes = asset('keyring.node');
  const parent = mkdtempSync(join(tmpdir(), 'petstore-'));
  try {
    const file = join(parent, 'keyring.node');
    writeFileSync(file, bytes);
    const binding = { exports: {} };
    process.dlopen(binding, file);
    return binding.exports;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
