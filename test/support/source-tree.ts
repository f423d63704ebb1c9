import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const NOT_SOURCE = new Set(['.git', 'coverage', 'dist', 'node_modules']);

/** Every file that is written by hand, relative to the root, with `/` on every system. */
export function filesBelow(folder = '.'): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !NOT_SOURCE.has(entry.name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** What a file of src imports, types and dynamic imports included: paths below the root for its own, else package names. */
export function importsOf(path: string): string[] {
  return ts.preProcessFile(readSource(path), true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('.')) return posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts');
    return fileName.startsWith('node:')
      ? fileName
      : fileName.split('/', fileName.startsWith('@') ? 2 : 1).join('/');
  });
}

/** The checked program of src and test. */
export function createProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(fileNames, options);
}

/** The names that a module offers, each as `value name` or `type name`. */
export function publicNames(program: ts.Program, path: string): string[] {
  const checker = program.getTypeChecker();
  return exportedSymbols(program, path)
    .map((symbol) => `${isValue(checker, symbol) ? 'value' : 'type'} ${symbol.name}`)
    .sort();
}

/** The values that a file of src exports and no other file names, as `path: name`. */
export function deadExports(program: ts.Program, doors: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const users = new Map<ts.Symbol, Set<string>>();
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    const path = relativeTo(file.fileName);
    // What a file hands on by `export *` it uses as well, though it names none of it.
    const handedOn = exportedSymbols(program, path).map((symbol) => unaliased(checker, symbol));
    for (const symbol of new Set([...namedSymbols(checker, file), ...handedOn])) {
      const known = users.get(symbol) ?? new Set();
      users.set(symbol, known.add(path));
    }
  }
  return filesBelow('src')
    .filter((path) => path.endsWith('.ts') && !doors.includes(path))
    .flatMap((path) =>
      exportedSymbols(program, path)
        .filter((symbol) => isValue(checker, symbol))
        .filter((symbol) => ![...(users.get(unaliased(checker, symbol)) ?? [])].some((user) => user !== path))
        .map((symbol) => `${path}: ${symbol.name}`),
    );
}

function exportedSymbols(program: ts.Program, path: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(ROOT, path));
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  return module === undefined ? [] : checker.getExportsOfModule(module);
}

/** Every symbol that a file names, also through `const { name } = await import(…)`. */
function namedSymbols(checker: ts.TypeChecker, file: ts.SourceFile): Set<ts.Symbol> {
  const symbols = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined) symbols.add(unaliased(checker, symbol));
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      const symbol = ts.isIdentifier(name)
        ? checker.getTypeAtLocation(node.parent).getProperty(name.text)
        : undefined;
      if (symbol !== undefined) symbols.add(unaliased(checker, symbol));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return symbols;
}

function unaliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function isValue(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  return (unaliased(checker, symbol).flags & ts.SymbolFlags.Value) !== 0;
}

function relativeTo(path: string): string {
  return relative(ROOT, path).split(sep).join('/');
}
