import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-tree.js';

/**
 * Parses the sources of the entry points, to read their declarations. `npm run lint` checks the types.
 *
 * @param packages packages that declarations infer types from. The others are left out, because they are most of the work.
 */
export function createSourceProgram(
  entryPoints: readonly string[],
  packages: readonly string[] = [],
): ts.Program {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    isolatedModules: true,
    skipLibCheck: true,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  };
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, file, redirected, _, source) =>
    literals.map((literal) => {
      const { text } = literal;
      if (!text.startsWith('.') && !packages.includes(text)) return { resolvedModule: undefined };
      const mode = ts.getModeForUsageLocation(source, literal, options);
      return ts.resolveModuleName(text, file, options, host, cache, redirected, mode);
    });
  return ts.createProgram(
    entryPoints.map((path) => join(ROOT, path)),
    options,
    host,
  );
}
