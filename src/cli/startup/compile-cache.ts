import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Script } from 'node:vm';
import { makePrivateFolder } from '../../security/private-folder.js';
import { isCommandWord } from '../command-line/command-table.js';
import { EXIT } from '../errors/exit-codes.js';
import { compileCacheDirectory } from '../system/files/paths.js';
import { type ChunkCode, type ChunkSource, createLoader, type LoadModule, wrapChunk } from './load-chunks.js';

/** The parts of the process that are used. */
export type CompileCacheHost = Pick<
  NodeJS.Process,
  'arch' | 'argv' | 'env' | 'geteuid' | 'getBuiltinModule' | 'once' | 'pid' | 'platform' | 'versions'
>;

/**
 * Loads the program with the code that V8 compiled in an earlier run of the same command. A list takes a fifth less time.
 *
 * Node's own cache saves less. Node 20 has none. Later releases store the code of a file before it runs, without the functions
 * that V8 compiles when they are called.
 *
 * There is no cache with `NODE_DISABLE_COMPILE_CACHE`, as in every Node program, and in a folder that another user could
 * change, because its code runs.
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
  const isOff = host.env.NODE_DISABLE_COMPILE_CACHE || (bun ?? deno) !== undefined;
  if (directory === undefined || isOff) return undefined;
  try {
    const name = [node, host.arch, ...commandWords(host.argv)].join('-');
    return `${makePrivateFolder(directory, host.geteuid?.())}/${name}`;
  } catch {
    return undefined;
  }
}

/** The first word of the command and, if it can be one, the second. */
function commandWords(argv: readonly string[]): string[] {
  const first = argv.findIndex(isCommandWord);
  return first === -1 ? [] : argv.slice(first, first + 2).filter((word) => /^[a-z]{1,20}$/.test(word));
}

/** Stored code of a chunk. The digest is that of text and code: V8 compares only the length of a text, and runs damaged code. */
interface StoredCode {
  name: string;
  digest: string;
  length: number;
}

/** Later, V8 drops the code of functions that no longer run. */
const STORE_AFTER_MS = 1_000;

/** Reads chunks with their stored code. Stores the code of a run if a chunk of it was not stored. */
class CachedChunks implements ChunkSource {
  readonly folder: string;
  readonly #file: string;
  readonly #host: CompileCacheHost;
  readonly #stored: Map<string, StoredCode & { code: Buffer }>;
  readonly #loaded = new Map<string, { text: string; script: Script }>();
  /** Of V8 and its flags, when the first chunk was missing. */
  #versionTag: number | undefined;

  constructor(folder: string, file: string, host: CompileCacheHost) {
    this.folder = folder;
    this.#file = file;
    this.#host = host;
    this.#stored = readStored(file);
  }

  read(name: string): ChunkCode {
    const text = wrapChunk(readFileSync(`${this.folder}/${name}`, 'utf8'));
    const { code, digest } = this.#stored.get(name) ?? {};
    const isIntact = code !== undefined && digest === this.#digest(text, code);
    return { text, cachedData: isIntact ? code : undefined };
  }

  onCompiled(name: string, text: string, script: Script): void {
    this.#loaded.set(name, { text, script });
    if (script.cachedDataRejected === false) return;
    // The first chunk differs in each build, because it has the names of others.
    if (this.#loaded.size === 1) this.#stored.clear();
    if (this.#versionTag !== undefined) return;
    this.#versionTag = this.#readVersionTag();
    const timer = setTimeout(() => {
      this.#store();
    }, STORE_AFTER_MS).unref();
    this.#host.once('exit', (code) => {
      clearTimeout(timer);
      // A mistyped command would leave a file.
      if (code !== EXIT.usage) this.#store();
    });
  }

  #store(): void {
    // An import changes flags, and V8 would reject its code.
    if (this.#loaded.size === 0 || this.#readVersionTag() !== this.#versionTag) return;
    for (const [name, { text, script }] of this.#loaded) {
      const code = script.createCachedData();
      this.#stored.set(name, { name, digest: this.#digest(text, code), length: code.length, code });
    }
    this.#loaded.clear();
    const entries = [...this.#stored.values()];
    const index = entries.map(({ name, digest, length }): StoredCode => ({ name, digest, length }));
    const draft = `${this.#file}.${String(this.#host.pid)}`;
    try {
      const parts = [Buffer.from(`${JSON.stringify(index)}\n`), ...entries.map(({ code }) => code)];
      writeFileSync(draft, Buffer.concat(parts), { mode: 0o600 });
      renameSync(draft, this.#file);
      this.#removeOutdated();
    } catch {
      // The next run tries again.
      rmSync(draft, { force: true });
    }
  }

  /** Removes what other releases of the same major version stored: an update replaces them. */
  #removeOutdated(): void {
    const { node } = this.#host.versions;
    const folder = dirname(this.#file);
    const isOutdated = (name: string): boolean =>
      name.startsWith(`${node.split('.', 1)[0]}.`) && !name.startsWith(`${node}-`);
    for (const name of readdirSync(folder).filter(isOutdated)) rmSync(`${folder}/${name}`, { force: true });
  }

  #digest(text: string, code: Buffer): string {
    const { createHash } = this.#host.getBuiltinModule('node:crypto');
    return createHash('sha256').update(text).update(code).digest('base64');
  }

  #readVersionTag(): number {
    return this.#host.getBuiltinModule('node:v8').cachedDataVersionTag();
  }
}

/** Reads a file of stored code: a line of JSON, then the code of each chunk. Empty if there is none. */
function readStored(file: string): Map<string, StoredCode & { code: Buffer }> {
  const stored = new Map<string, StoredCode & { code: Buffer }>();
  try {
    const bytes = readFileSync(file);
    let offset = bytes.indexOf('\n') + 1;
    for (const entry of JSON.parse(bytes.toString('utf8', 0, offset)) as StoredCode[]) {
      stored.set(entry.name, { ...entry, code: bytes.subarray(offset, offset + entry.length) });
      offset += entry.length;
    }
  } catch {
    // Missing or damaged: it is written again.
  }
  return stored;
}
