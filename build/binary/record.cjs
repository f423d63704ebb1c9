'use strict';
// `node record.cjs DIST OUT ARGUMENTS…`: runs the command of DIST, and writes the code cache of each file to OUT unless it
// is there already. The cache of a file that ran contains the functions that ran, which Node's own cache leaves out.
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const [dist, out, ...args] = process.argv.splice(2);
process.argv.push(...args);
const { createLoader, wrapChunk } = require(join(dist, 'main.cjs'));

const scripts = new Map();
const read = (name) => ({ text: wrapChunk(readFileSync(join(dist, name), 'utf8')) });
const onCompiled = (name, script) => scripts.set(name, script);
const load = createLoader({ folder: dist, read, onCompiled }, require);

process.on('exit', () => {
  for (const name of args.length > 0
    ? scripts.keys()
    : readdirSync(dist).filter((file) => file.endsWith('.cjs'))) {
    const file = join(out, `${name}.cache`);
    if (existsSync(file)) continue;
    const script = scripts.get(name) ?? new Script(read(name).text, { filename: name });
    writeFileSync(file, script.createCachedData());
  }
});

if (args.length > 0)
  load('./main.cjs').main(
    () => load('./program.cjs'),
    () => load('./complete-line.cjs'),
  );
