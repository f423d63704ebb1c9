import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Context, variable } from './context.js';
import type { CodeStore } from './load-program.js';
import { writePrivateFile } from './private-file.js';

/** What is taken of the process. */
export interface CodeHost extends Pick<Context, 'env' | 'platform'> {
  readonly arch: string;
  readonly versions: { readonly v8: string };
  geteuid?: () => number;
}

/** Code that is kept between runs. */
export interface KeptCode extends CodeStore {
  /** Writes what was compiled anew, if anything was. Where it can't be written nothing is kept, and nothing else changes. */
  save(): void;
}

/** What V8 has compiled of one file. */
type Compiled = Parameters<CodeStore['add']>[1];

const ENDING = '.code';
/** V8 copies what does not begin at a multiple of it. */
const ALIGNMENT = 8;

/**
 * Keeps the compiled code of the program between runs, a file for each command, since what V8 compiles of a file is
 * what the command used of it. In a folder of the person's own, for whoever can write there decides what runs: a file
 * of somebody else's, or one that others can write, is not read.
 *
 * @param build names the very files that are loaded: V8 compares no more than their lengths.
 */
export function openKeptCode(argv: readonly string[], build: string, host: CodeHost): KeptCode | undefined {
  // What turns off Node's own cache of this kind.
  if (variable(host, 'NODE_DISABLE_COMPILE_CACHE') !== undefined) return undefined;
  const directory = codeDirectory(host);
  if (directory === undefined) return undefined;
  const [first = ''] = argv;
  const command = /^[a-z]{2,16}$/.test(first) ? first : 'petstore';
  const path = join(directory, `${command}-${host.versions.v8}-${host.arch}-${build}${ENDING}`);
  const kept = readCode(path, host.geteuid?.());
  const loaded = new Map<string, Compiled>();
  return {
    find: (name) => kept.get(name),
    add: (name, script) => loaded.set(name, script),
    save() {
      const isNew = [...loaded].some(
        ([name, { cachedDataRejected }]) => cachedDataRejected === true || !kept.has(name),
      );
      if (!isNew) return;
      for (const [name, script] of loaded) kept.set(name, script.createCachedData());
      try {
        writePrivateFile(path, packCode(kept));
        removeOthers(directory, build);
      } catch {
        // A disk that is full or can't be written.
      }
    },
  };
}

/** Where compiled code is kept; `undefined` where no place of the person's own is known. */
export function codeDirectory(host: Pick<Context, 'env' | 'platform'>): string | undefined {
  const shared = variable(host, 'XDG_CACHE_HOME');
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'petstore', 'compiled');
  if (host.platform === 'win32') {
    const local = variable(host, 'LOCALAPPDATA');
    return local === undefined ? undefined : join(local, 'petstore', 'Cache', 'compiled');
  }
  const home = variable(host, 'HOME');
  // Where it is relative, the current directory would say what runs.
  if (home === undefined || !isAbsolute(home)) return undefined;
  const caches = host.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(home, caches, 'petstore', 'compiled');
}

/** Code by file. Empty where there is none, or none to be trusted. */
function readCode(path: string, user: number | undefined): Map<string, Buffer> {
  const code = new Map<string, Buffer>();
  try {
    const bytes = readOwn(path, user);
    if (bytes === undefined) return code;
    const indexEnd = ALIGNMENT + bytes.readUInt32LE(0);
    // Written by this program into a file that its owner alone can write.
    const index = JSON.parse(bytes.toString('latin1', ALIGNMENT, indexEnd)) as [string, number, number][];
    for (const [name, start, end] of index) code.set(name, bytes.subarray(start, end));
  } catch {
    code.clear(); // absent, or not whole
  }
  return code;
}

function readOwn(path: string, user: number | undefined): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const { mode, uid } = fstatSync(file);
    // Windows has other ways to say whose a file is, and the folder is its person's own.
    const isOwn = user === undefined || (uid === user && (mode & 0o022) === 0);
    return isOwn ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** The length of the index, the index (name, start and end of each), and the code. */
function packCode(code: ReadonlyMap<string, Buffer>): Buffer {
  const names = [...code.keys()];
  const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
  // Room for the digits of every offset.
  const indexLength = aligned(JSON.stringify(names).length + names.length * 32);
  let end = ALIGNMENT + indexLength;
  const index = [...code].map(([name, { length }]) => {
    const start = aligned(end);
    end = start + length;
    return [name, start, end] as const;
  });
  const bytes = Buffer.alloc(end);
  bytes.writeUInt32LE(indexLength, 0);
  bytes.write(JSON.stringify(index).padEnd(indexLength), ALIGNMENT, 'latin1');
  for (const [name, start] of index) code.get(name)?.copy(bytes, start);
  return bytes;
}

/** Of builds that were there before this one. */
function removeOthers(directory: string, build: string): void {
  for (const name of readdirSync(directory)) {
    if (name.endsWith(ENDING) && !name.endsWith(`-${build}${ENDING}`)) rmSync(join(directory, name));
  }
}
