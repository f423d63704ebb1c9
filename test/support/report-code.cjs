// Preloaded (`node -r`): prints, as the last line on stderr, each file that the program loaded itself, and whether V8
// refused the code of an earlier run: null where there was none.
const { basename } = require('node:path');
const { writeSync } = require('node:fs');
const vm = require('node:vm');

const loaded = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    loaded.push({ file: basename(options.filename), refused: this.cachedDataRejected ?? null });
  }
};

process.on('exit', () => {
  writeSync(2, `\n${JSON.stringify(loaded)}\n`);
});
