import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** A text that replaces another one in a file below src. */
export interface SourceChange {
  file: string;
  from: string;
  to: string;
}

/**
 * Loads a file below src with some changes. Private fields become public: their names start with `$` instead of `#`, so
 * that a model can compare the state of objects.
 */
export async function loadSource<T>(file: string, changes: readonly SourceChange[]): Promise<T> {
  const { outputFiles } = await build({
    entryPoints: [SOURCE + file],
    bundle: true,
    write: false,
    packages: 'external',
    format: 'cjs',
    platform: 'node',
    define: { __PETSTORE_VERSION__: '"0.0.0"', 'globalThis.setImmediate': 'setImmediate' },
    plugins: [changeSource(changes)],
  });
  const module = { exports: {} };
  const names = ['module', 'require', 'setImmediate'];
  compileFunction(outputFiles[0]!.text, names)(module, createRequire(import.meta.url), planAtEndOfTurn);
  return module.exports as T;
}

/** @throws Error if a file lacks the text to replace. */
function changeSource(changes: readonly SourceChange[]): Plugin {
  const load = async ({ path }: { path: string }): Promise<{ contents: string; loader: 'ts' }> => {
    let contents = await readFile(path, 'utf8');
    for (const { file, from, to } of changes.filter((change) => path === SOURCE + change.file)) {
      if (!contents.includes(from)) throw new Error(`${file} lacks this text: ${from}`);
      contents = contents.replace(from, () => to);
    }
    return { contents: contents.replace(/#(?=[a-z])/g, '$'), loader: 'ts' };
  };
  return { name: 'changes', setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, load) };
}

/** Work that loaded source has planned for the end of the turn. Real turns of the event loop take most of the time. */
const planned: (() => void)[] = [];
const planAtEndOfTurn = (work: () => void): void => void planned.push(work);

/** Runs all ready promises and all planned work of loaded source, until nothing is left. */
export async function runTurns(): Promise<void> {
  do {
    for (const work of planned.splice(0)) work();
    // A tick comes after all promises.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  } while (planned.length > 0);
}
