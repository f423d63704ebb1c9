import { mkdtemp, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The library as JavaScript in a temporary folder, for child processes of a test. */
export interface CompiledClient {
  /** Path of the library's entry file. */
  readonly url: string;
  remove(): Promise<void>;
}

/** Strips the types of the client's source files, without checking or bundling them. */
export async function compileClient(): Promise<CompiledClient> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-client-'));
  const files = await readdir(join(ROOT, 'src'), { recursive: true });
  const wanted = files.filter((file) => file.endsWith('.ts') && !/^(?:cli|mock)\//.test(file));
  await Promise.all(
    wanted.map(async (file) => {
      const source = await readFile(join(ROOT, 'src', file), 'utf8');
      // The build inserts the version.
      const { outputText } = ts.transpileModule(
        source.replace('declare const __PETSTORE_VERSION__: string', "const __PETSTORE_VERSION__ = '0.0.0'"),
        {
          compilerOptions: {
            target: ts.ScriptTarget.ES2022,
            module: ts.ModuleKind.ESNext,
            verbatimModuleSyntax: true,
          },
        },
      );
      const target = join(folder, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, outputText);
    }),
  );
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(await realpath(join(ROOT, 'node_modules')), join(folder, 'node_modules'), 'dir');
  return {
    url: pathToFileURL(join(folder, 'index.js')).href,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
