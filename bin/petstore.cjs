#!/usr/bin/env node
const { loadWithCompileCache, main } = require('../dist/cli/main.cjs');
main(
  () => loadWithCompileCache(() => require('../dist/cli/program.cjs'), process),
  () => require('../dist/cli/complete-line.cjs'),
);
