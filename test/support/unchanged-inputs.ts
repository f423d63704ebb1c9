import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireBuild } from './built.js';
import { filesBelow, ROOT } from './source-tree.js';

/**
 * Runs a check that takes seconds of CPU, unless it has passed with the same inputs before: the declarations of the build
 * with their docstrings, the packages, and `paths`. A clean clone, as in CI, remembers none.
 *
 * @param name unique.
 * @param paths files and folders, relative to the root. The check may write them.
 */
export async function checkIfChanged(
  name: string,
  paths: readonly string[],
  check: () => void | Promise<void>,
): Promise<void> {
  requireBuild();
  const passed = join(ROOT, 'node_modules/.cache/petstore/passed', name);
  if (existsSync(passed) && readFileSync(passed, 'utf8') === digest(paths)) return;
  await check();
  mkdirSync(dirname(passed), { recursive: true });
  writeFileSync(passed, digest(paths));
}

function digest(paths: readonly string[]): string {
  const declarations = filesBelow('dist').filter((path) => path.endsWith('.d.ts'));
  const hash = createHash('sha256');
  for (const path of [...declarations, 'package-lock.json', ...paths.flatMap(filesAt)])
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

function filesAt(path: string): string[] {
  return /\.\w+$/.test(path) ? [path] : filesBelow(path);
}
