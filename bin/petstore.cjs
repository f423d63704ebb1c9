#!/usr/bin/env node
require('../dist/cli/main.cjs').main(
  () => require('../dist/cli/program.cjs'),
  () => require('../dist/cli/complete-line.cjs'),
);
