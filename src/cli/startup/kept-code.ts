import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Context, variable } from '../system/context.js';
import type { CodeStore } from './load-program.js';
import { compileCacheDirectory } from '../files/paths.js';
import { writePrivateFile } from '../files/private-file.js';

/** What is taken of the process. */
export interface CodeHost extends Pick<Context, 'env' | 'platform'> {
  readonly arch: string;
  readonly version: string;
  geteuid?: () => number;
}

/** Code that is kept between runs. */
export interface KeptCode extends CodeStore {
  /** Writes what was compiled anew, if anything was. Where it can't be written nothing is kept, and nothing else changes. */
  save(): void;
}

/** What V8 has compiled of one file, or had in an earlier run. */
interface Code {
  stamp: string;
  bytes: Buffer;
}
type Compiled = Parameters<CodeStore['add']>[2];

const ENDING = '.code';
const KEPT_FOR_MS = 30 * 86_400_000;
/** Of the code, and of what killed runs were writing. */
const OURS = /^(?:[a-z]+-v[\w.-]+-\w+-[0-9a-f]{12}\.code|\.\d+\.\d+\.tmp)$/;
/** V8 copies what does not begin at a multiple of it. */
const ALIGNMENT = 8;

/**
 * Keeps the compiled code of the program between runs, a file for each first word of a line, since what V8 compiles of a
 * file is what the command used of it. In a folder of the person's own, for whoever can write there decides what runs:
 * what is somebody else's, or others can write, is not read.
 *
 * @param build names the files that are loaded: of what it compiled V8 compares no more than their lengths.
 */
export function openKeptCode(argv: readonly string[], build: string, host: CodeHost): KeptCode | undefined {
  // What turns off Node's own cache of this kind.
  if (variable(host, 'NODE_DISABLE_COMPILE_CACHE') !== undefined) return undefined;
  const directory = compileCacheDirectory(host);
  const user = host.geteuid?.();
  if (directory === undefined || !isOwnPlace(directory, user)) return undefined;
  const [first = ''] = argv;
  const command = /^[a-z]{2,16}$/.test(first) ? first : 'petstore';
  const path = join(directory, `${command}-${host.version}-${host.arch}-${build}${ENDING}`);
  const kept = readCode(path, user);
  const loaded = new Map<string, { stamp: string; script: Compiled }>();
  const find = (name: string, stamp: string): Buffer | undefined => {
    const code = kept.get(name);
    return code?.stamp === stamp ? code.bytes : undefined;
  };
  return {
    find,
    add: (name, stamp, script) => loaded.set(name, { stamp, script }),
    save() {
      const isNew = [...loaded].some(
        ([name, { stamp, script }]) => script.cachedDataRejected === true || find(name, stamp) === undefined,
      );
      if (!isNew) return;
      for (const [name, { stamp, script }] of loaded)
        kept.set(name, { stamp, bytes: script.createCachedData() });
      try {
        writePrivateFile(path, packCode(kept));
        removeOld(directory, path);
      } catch {
        // A disk that is full or can't be written.
      }
    },
  };
}

/**
 * Whether others can neither put something there nor be hindered by what is put there: `sudo` may keep the home of
 * somebody else. What is missing is made later, for its owner alone.
 *
 * @param user `undefined` on Windows, where the folder is its person's own and has no mode.
 */
function isOwnPlace(directory: string, user: number | undefined): boolean {
  if (user === undefined) return true;
  try {
    const own = dirname(directory);
    if (ownerOf(dirname(own)) !== user) return false;
    return [own, directory].every((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found === undefined || (found.isDirectory() && found.uid === user && (found.mode & 0o022) === 0);
    });
  } catch {
    return false;
  }
}

/** Of the nearest that there is: what is missing below it is made when it is needed. */
function ownerOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? ownerOf(dirname(path));
}

/** Code by file. Empty where there is none, or none to be trusted. */
function readCode(path: string, user: number | undefined): Map<string, Code> {
  const code = new Map<string, Code>();
  try {
    const bytes = readOwn(path, user);
    // V8 takes what it is given: one wrong bit can end the process.
    if (bytes.readUInt32LE(4) !== checksum(bytes)) return code;
    const index = bytes.toString('latin1', ALIGNMENT, ALIGNMENT + bytes.readUInt32LE(0));
    // Written by this program into a file that its owner alone can write.
    for (const [name, stamp, start, end] of JSON.parse(index) as [string, string, number, number][])
      code.set(name, { stamp, bytes: bytes.subarray(start, end) });
  } catch {
    code.clear(); // absent, or not whole
  }
  return code;
}

function readOwn(path: string, user: number | undefined): Buffer {
  // Windows has neither of the last two: what is undefined adds no bit.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(file);
    const isOwn = user === undefined || (found.uid === user && (found.mode & 0o022) === 0);
    return found.isFile() && isOwn ? readFileSync(file) : Buffer.alloc(0);
  } finally {
    closeSync(file);
  }
}

/** The length of the index, a checksum, the index (name, stamp, start and end of each), and the code. */
function packCode(code: ReadonlyMap<string, Code>): Buffer {
  const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
  const stamps = [...code].map(([name, { stamp }]) => [name, stamp]);
  // Room for the digits of every offset.
  const indexLength = aligned(JSON.stringify(stamps).length + stamps.length * 32);
  let end = ALIGNMENT + indexLength;
  const index = [...code].map(([name, { stamp, bytes }]) => {
    const start = aligned(end);
    end = start + bytes.length;
    return [name, stamp, start, end] as const;
  });
  const packed = Buffer.alloc(end);
  packed.writeUInt32LE(indexLength, 0);
  packed.write(JSON.stringify(index).padEnd(indexLength), ALIGNMENT, 'latin1');
  for (const [name, , start] of index) code.get(name)?.bytes.copy(packed, start);
  packed.writeUInt32LE(checksum(packed), 4);
  return packed;
}

/** Of all that follows it. */
function checksum(bytes: Buffer): number {
  // Loaded only where there is code: this takes half a millisecond, a digest of node:crypto three.
  return process.getBuiltinModule('node:zlib').crc32(bytes.subarray(ALIGNMENT));
}

/** What was written long before the file at `path`: of builds that are gone, or are in use and write it anew. */
function removeOld(directory: string, path: string): void {
  const oldestMs = statSync(path).mtimeMs - KEPT_FOR_MS;
  for (const name of readdirSync(directory)) {
    const other = join(directory, name);
    if (OURS.test(name) && lstatSync(other).mtimeMs < oldestMs) rmSync(other);
  }
}
