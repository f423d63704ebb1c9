// Preloaded (`node -r`): prints, as the last line on stderr, for each file that the program compiled itself whether V8
// refused the code of an earlier run: null where there was none.
const { writeSync } = require('node:fs');
const vm = require('node:vm');

const scripts = [];
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    scripts.push(this);
  }
};

process.on('exit', () => {
  writeSync(2, `\n${JSON.stringify(scripts.map((script) => script.cachedDataRejected ?? null))}\n`);
});
