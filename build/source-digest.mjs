/**
 * The digest of everything that the build reads. As a script it writes the digest of a finished build, which `npm test`
 * and tests of the build compare. The file is not in the package.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const READ = ['package.json', 'package-lock.json', 'tsup.config.ts', 'bin', 'build', 'src'];

/** Of `dist`. */
const DIGEST_FILE = join(ROOT, 'dist/cli/modules.digest.json');

/** Not read by a check, or made from what is. */
const IGNORED = ['.git', 'dist', 'node_modules'];

/** Says whether `dist` was built from the sources as they are. Takes 50 ms. */
export function isBuildCurrent() {
  return existsSync(DIGEST_FILE) && JSON.parse(readFileSync(DIGEST_FILE, 'utf8')) === sourceDigest();
}

function sourceDigest() {
  return digestOf(READ);
}

/** Returns the digest of all files of the project. Takes 150 ms. */
export function treeDigest() {
  return digestOf(readdirSync(ROOT).filter((name) => !IGNORED.includes(name)));
}

function digestOf(names) {
  const hash = createHash('sha256');
  for (const path of names.flatMap((name) => filesOf(join(ROOT, name))))
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(DIGEST_FILE, JSON.stringify(sourceDigest()));
