import type { Script } from 'node:vm';

/** The text of a chunk as `wrapChunk` returns it, and V8's code of it. */
export interface ChunkCode {
  text: string;
  cachedData?: Buffer | undefined;
}

/** Where chunks come from. */
export interface ChunkSource {
  /** The `__dirname` of the chunks. */
  folder: string;
  /** Reads a chunk by its file name. */
  read: (name: string) => ChunkCode;
  /** Called for each chunk before it runs. */
  onCompiled?: (name: string, script: Script) => void;
}

/** Loads a module by the text that `require` gets. */
export type LoadModule = (id: string) => unknown;

/** The text that is compiled for a chunk: a function with the variables of CommonJS. */
export function wrapChunk(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

/**
 * Loads the chunks of dist/cli as `require` does, but with the code that V8 compiled before.
 *
 * @param loadOther loads what is not a chunk.
 */
export function createLoader(source: ChunkSource, loadOther: LoadModule): LoadModule {
  const vm = process.getBuiltinModule('node:vm');
  const { join } = process.getBuiltinModule('node:path');
  const modules = new Map<string, { exports: unknown }>();
  const load = (id: string): unknown => {
    if (!id.startsWith('./')) return loadOther(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    const name = id.slice(2);
    const { text, cachedData } = source.read(name);
    const filename = join(source.folder, name);
    const script = new vm.Script(text, { filename, cachedData });
    source.onCompiled?.(name, script);
    const run = script.runInThisContext() as (...variables: unknown[]) => void;
    const module = { exports: {} };
    // Before it runs, because chunks may require one another.
    modules.set(id, module);
    try {
      run(module.exports, load, module, filename, source.folder);
    } catch (error) {
      modules.delete(id);
      throw error;
    }
    return module.exports;
  };
  return load;
}
