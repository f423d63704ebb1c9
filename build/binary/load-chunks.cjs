'use strict';
const { join } = require('node:path');
const { Script } = require('node:vm');

/** The text that is compiled for a file of dist/cli: a function with the variables of CommonJS. */
exports.wrap = (source) => `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

/**
 * Returns a function like `require` that gets the files of dist/cli from memory.
 *
 * @param {(name: string) => { text: string, cachedData?: Buffer }} read a code cache of another V8 is ignored.
 * @param {string} folder the `__dirname` of the files.
 * @param {(id: string) => unknown} others loads what is not in dist/cli.
 * @param {(name: string, script: Script) => void} [onCompiled]
 */
exports.createLoader = (read, folder, others, onCompiled) => {
  const modules = new Map();
  const load = (id) => {
    if (!id.startsWith('./')) return others(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(id, module);
    const name = id.slice(2);
    const { text, cachedData } = read(name);
    const script = new Script(text, { filename: name, cachedData });
    onCompiled?.(name, script);
    script.runInThisContext()(module.exports, load, module, join(folder, name), folder);
    return module.exports;
  };
  return load;
};
