#!/usr/bin/env node
let entry;
try {
  entry = require('../dist/cli/main.cjs');
} catch (error) {
  if (require('node:fs').existsSync(`${__dirname}/../dist`)) throw error;
  console.error('error: petstore is not built yet\nhint: In its checkout, run: npm ci && npm run build');
  process.exit(1);
}
const chunks = require('node:path').join(__dirname, '../dist/cli');
entry.main(
  () => entry.loadWithCompileCache(chunks, require, process),
  () => require('../dist/cli/complete-line.cjs'),
);
