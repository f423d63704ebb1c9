import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const NOT_SOURCE = new Set(['.git', 'coverage', 'dist', 'dist-binary', 'node_modules']);

/** Lists every file that is written by hand, relative to the root, with `/` on every system. */
export function filesBelow(folder = '.'): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !NOT_SOURCE.has(entry.name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

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
