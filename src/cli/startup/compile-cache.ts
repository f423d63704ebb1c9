import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { canOthersWrite, isForeignOwner, makePrivateFolder } from '../../security/private-folder.js';
import { type CommandEntry, COMMANDS, isCommandWord } from '../command-line/command-table.js';
import { EXIT } from '../errors/exit-codes.js';
import { compileCacheDirectory } from '../system/files/paths.js';
import { type ChunkCode, type ChunkSource, createLoader, type LoadModule, wrapChunk } from './load-chunks.js';

/** The parts of the process that are used. */
export type CompileCacheHost = Pick<
  NodeJS.Process,
  'arch' | 'argv' | 'env' | 'geteuid' | 'getBuiltinModule' | 'once' | 'pid' | 'platform' | 'versions'
>;

/**
 * Loads the program with a compile cache: the code that V8 compiled for the same command before. A list takes a fifth less
 * time.
 *
 * Node's own cache saves less. Node 20 has none. Later releases store the code of a file before it runs, without the functions
 * that V8 compiles when they are called.
 *
 * There is no cache in a folder that another user could change, because its code runs.
 *
 * @param folder the folder of the chunks.
 * @param require loads what is not a chunk.
 */
export function loadWithCompileCache(folder: string, require: LoadModule, host: CompileCacheHost): unknown {
  const file = cacheFile(host);
  if (file === undefined) return require(`${folder}/program.cjs`);
  return createLoader(new CachedChunks(folder, file, host), require)('./program.cjs');
}

/** The file with the code of this command for this release of Node. `undefined`: no cache. */
function cacheFile(host: CompileCacheHost): string | undefined {
  const { node, bun, deno } = host.versions;
  const directory = compileCacheDirectory(host);
  // In Bun and Deno it would take longer.
  if (directory === undefined || (bun ?? deno) !== undefined) return undefined;
  try {
    const name = [node, host.arch, ...commandWords(host.argv)].join('-');
    return `${makePrivateFolder(directory, host.geteuid?.())}/${name}`;
  } catch {
    return undefined;
  }
}

/** The words of the command: one or, if it is in a group, two. */
function commandWords(argv: readonly string[]): string[] {
  const start = argv.findIndex(isCommandWord);
  const [first, second = ''] = argv.slice(Math.max(0, start));
  if (first === undefined || !isCommandWord(first)) return [];
  const command: CommandEntry = COMMANDS[first];
  return command.takesWords === true || !/^[a-z]{1,20}$/.test(second) ? [first] : [first, second];
}

/** The code of a chunk. The digest is that of source and code: V8 compares only the length of the source, and runs damaged code. */
interface StoredCode {
  name: string;
  digest: string;
  length: number;
}

/** Later, V8 drops the code of functions that no longer run. */
const STORE_AFTER_MS = 1_000;

/** A file is for one release of Node and one command, so that those of earlier releases would stay for ever. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const FILE_NAME = /^\d+\.\d+\.\d+-\w+(?:-[a-z]+)*(?:\.\d+)?$/;

/** Reads chunks with their cached code. Stores the code of a command if a chunk of it was missing. */
class CachedChunks implements ChunkSource {
  readonly folder: string;
  readonly #file: string;
  readonly #host: CompileCacheHost;
  readonly #stored: Map<string, StoredCode & { code: Buffer }>;
  /** The files as they were read: an update may replace them. */
  readonly #sources = new Map<string, Buffer>();
  readonly #missing = new Map<string, Script>();
  #isFirst = true;
  /** Of V8 and its flags, when the first missing chunk was compiled. */
  #versionTag: number | undefined;

  constructor(folder: string, file: string, host: CompileCacheHost) {
    this.folder = folder;
    this.#file = file;
    this.#host = host;
    this.#stored = readStored(file, host.geteuid?.());
  }

  read(name: string): ChunkCode {
    const source = readFileSync(`${this.folder}/${name}`);
    this.#sources.set(name, source);
    const { code, digest } = this.#stored.get(name) ?? {};
    const isIntact = code !== undefined && digest === this.#digest(source, code);
    return { text: wrapChunk(source.toString()), cachedData: isIntact ? code : undefined };
  }

  onCompiled(name: string, script: Script): void {
    if (script.cachedDataRejected !== false) {
      // The first chunk differs in each build, because it has the names of others.
      if (this.#isFirst) this.#stored.clear();
      this.#missing.set(name, script);
      if (this.#versionTag === undefined) this.#storeLater();
    }
    this.#isFirst = false;
  }

  #storeLater(): void {
    this.#versionTag = this.#readVersionTag();
    setTimeout(() => {
      this.#store();
    }, STORE_AFTER_MS).unref();
    this.#host.once('exit', (code) => {
      // A mistyped command would leave a file.
      if (code !== EXIT.usage) this.#store();
    });
  }

  #store(): void {
    // An import changes flags while it runs, and V8 would reject the code.
    if (this.#missing.size === 0 || this.#readVersionTag() !== this.#versionTag) return;
    for (const [name, source] of this.#sources) {
      const code = this.#missing.get(name)?.createCachedData();
      if (code === undefined) continue;
      this.#stored.set(name, { name, digest: this.#digest(source, code), length: code.length, code });
    }
    this.#missing.clear();
    const entries = [...this.#stored.values()];
    const index = entries.map(({ name, digest, length }): StoredCode => ({ name, digest, length }));
    const draft = `${this.#file}.${String(this.#host.pid)}`;
    try {
      const parts = [Buffer.from(`${JSON.stringify(index)}\n`), ...entries.map(({ code }) => code)];
      writeFileSync(draft, Buffer.concat(parts), { mode: 0o600 });
      renameSync(draft, this.#file);
      this.#removeOld();
    } catch {
      // The next command tries again.
      rmSync(draft, { force: true });
    }
  }

  /** Removes own files only: the folder may be a link to one with others. */
  #removeOld(): void {
    const folder = dirname(this.#file);
    const { mtimeMs: now } = statSync(this.#file);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (FILE_NAME.test(name) && lstatSync(path).mtimeMs < now - KEPT_MS) unlinkSync(path);
    }
  }

  #digest(source: Buffer, code: Buffer): string {
    const { createHash } = this.#host.getBuiltinModule('node:crypto');
    return createHash('sha256').update(source).update(code).digest('base64');
  }

  #readVersionTag(): number {
    return this.#host.getBuiltinModule('node:v8').cachedDataVersionTag();
  }
}

/**
 * Reads a file of the cache: a line of JSON, then the code of each chunk. Empty if there is none, or if another user could
 * have written it, who may create files in a folder such as /tmp.
 */
function readStored(file: string, userId: number | undefined): Map<string, StoredCode & { code: Buffer }> {
  const stored = new Map<string, StoredCode & { code: Buffer }>();
  try {
    const bytes = readOwn(file, userId);
    let offset = bytes.indexOf('\n') + 1;
    for (const entry of JSON.parse(bytes.toString('utf8', 0, offset)) as StoredCode[]) {
      stored.set(entry.name, { ...entry, code: bytes.subarray(offset, offset + entry.length) });
      offset += entry.length;
    }
  } catch {
    // It is written again.
  }
  return stored;
}

function readOwn(file: string, userId: number | undefined): Buffer {
  // Does not wait for a named pipe.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    const isForeign =
      userId !== undefined && (isForeignOwner(stats.uid, userId) || canOthersWrite(stats.mode));
    return isForeign || !stats.isFile() ? Buffer.alloc(0) : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
