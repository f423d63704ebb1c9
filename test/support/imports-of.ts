import { posix } from 'node:path';
import ts from 'typescript';
import { readSource } from './source-tree.js';

/** Lists what a file imports, including types and dynamic imports: paths below the root, or package names. */
export function importsOf(path: string): string[] {
  return ts.preProcessFile(readSource(path), true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('.'))
      return posix.join(posix.dirname(path), fileName).replace(/\.(c?)js$/, '.$1ts');
    return fileName.startsWith('node:')
      ? fileName
      : fileName.split('/', fileName.startsWith('@') ? 2 : 1).join('/');
  });
}
