#!/usr/bin/env node
const { enableCompileCache, main } = require('../dist/cli/main.cjs');
main(
  () => {
    enableCompileCache(process);
    return require('../dist/cli/program.cjs');
  },
  () => require('../dist/cli/complete-line.cjs'),
);
