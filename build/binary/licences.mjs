import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the licences of all that the executable contains.
 *
 * @param {string} file
 * @param {string} root the checkout.
 * @param {{ path: string, version: string }} node
 * @param {readonly string[]} others
 */
export function writeLicences(file, root, node, others) {
  const parts = [
    ['petstore', [join(root, 'LICENSE')]],
    ['Packages', [join(root, 'dist/THIRD-PARTY-NOTICES'), ...others]],
    [`Node.js ${node.version}`, nodeLicences(node.path)],
  ];
  const texts = parts.map(([title, paths]) => {
    const text = paths.map((path) => readFileSync(path, 'utf8').trim()).join('\n\n');
    return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text || nodeAddress(node.version)}\n`;
  });
  writeFileSync(file, texts.join('\n'));
}

/** The folder of the executable has them on Windows, its parent folder elsewhere. Some systems leave them out. */
function nodeLicences(path) {
  const folder = dirname(realpathSync(path));
  const found = [folder, dirname(folder)]
    .map((each) => join(each, 'LICENSE'))
    .find((each) => existsSync(each));
  return found === undefined ? [] : [found];
}

function nodeAddress(version) {
  return `https://github.com/nodejs/node/blob/${version}/LICENSE`;
}
