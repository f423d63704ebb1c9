import { nodeModule } from '../node-module.js';

const fs = nodeModule('node:fs');
const nodePath = nodeModule('node:path');

/**
 * Creates a folder and its missing parents, with access for their owner only (mode 0700). Leaves an existing folder
 * unchanged. `mkdirSync` with `recursive` never returns on Node 20 for a path such as `/proc/x/y`, where the system
 * reports a missing parent for a parent that exists.
 *
 * @returns whether the folder was missing.
 * @throws errors of node:fs, such as EACCES. ENOTDIR or EEXIST if a file is in its place.
 */
export function makePrivateFolder(path: string): boolean {
  try {
    return makeFolder(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || nodePath.dirname(path) === path) throw error;
  }
  makePrivateFolder(nodePath.dirname(path));
  return makeFolder(path);
}

function makeFolder(path: string): boolean {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Some systems report EPERM, EISDIR or EROFS for a folder that exists.
    if (codeOf(error) === 'ENOENT' || !isFolder(path)) throw error;
    return false;
  }
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
