import { join, sep } from 'node:path';
import ts from 'typescript';
import { ROOT } from './source-tree.js';

const DIST = join(ROOT, 'dist');

/** Type-checks built declarations, such as `dist/index.d.ts`. */
export function createDeclarationProgram(paths: readonly string[]): ts.Program {
  return ts.createProgram(
    paths.map((path) => join(ROOT, path)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      types: [],
      skipLibCheck: true,
      noEmit: true,
    },
  );
}

/**
 * Lists the types of this package that the exports of an entry point mention and that it does not export: each as
 * `exported name: type`.
 */
export function unexportedTypes(program: ts.Program, path: string): string[] {
  const checker = program.getTypeChecker();
  const unaliased = (symbol: ts.Symbol): ts.Symbol =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, path))!)!;
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => [unaliased(symbol), symbol.name]),
  );
  const isMissing = (symbol: ts.Symbol): boolean =>
    (symbol.flags & ts.SymbolFlags.TypeParameter) === 0 &&
    !exported.has(symbol) &&
    declarationsOf(symbol).some((declaration) => isOwn(declaration) && isTopLevel(declaration));
  const missing = new Set<string>();
  for (const [symbol, name] of exported) {
    for (const declaration of declarationsOf(symbol).filter(isOwn)) {
      for (const reference of referencesIn(declaration)) {
        const found = checker.getSymbolAtLocation(reference);
        if (found === undefined) missing.add(`${name}: ${reference.getText()} (not found)`);
        else if (isMissing(unaliased(found))) missing.add(`${name}: ${reference.getText()}`);
      }
    }
  }
  return [...missing].sort();
}

/** The names of types in a declaration. Private members have none in a built declaration. */
function referencesIn(declaration: ts.Declaration): ts.Node[] {
  const names: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) names.push(node.typeName);
    else if (ts.isTypeQueryNode(node)) names.push(node.exprName);
    else if (ts.isExpressionWithTypeArguments(node)) names.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return names;
}

function declarationsOf(symbol: ts.Symbol): ts.Declaration[] {
  return symbol.declarations ?? [];
}

function isOwn(declaration: ts.Declaration): boolean {
  return declaration
    .getSourceFile()
    .fileName.replaceAll('/', sep)
    .startsWith(DIST + sep);
}

/** Not a member, such as of `typeof LIST[number]`. */
function isTopLevel(declaration: ts.Declaration): boolean {
  const parent = ts.isVariableDeclaration(declaration)
    ? declaration.parent.parent.parent
    : declaration.parent;
  return ts.isSourceFile(parent);
}
