import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

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
