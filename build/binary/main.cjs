'use strict';
// The main script of the single executable. build.mjs embeds the files of dist/cli and their code caches as assets.
const { dirname, join } = require('node:path');
const { getRawAsset } = require('node:sea');
const { loadKeyring } = require('./keyring.cjs');
const { createLoader } = require('./load-chunks.cjs');

const folder = dirname(process.execPath);

const load = createLoader(
  (name) => ({ text: textOf(name), cachedData: Buffer.from(getRawAsset(`${name}.cache`)) }),
  folder,
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
  return Buffer.from(getRawAsset(name)).toString();
}
