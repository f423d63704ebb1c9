import { join } from 'node:path';
import ts from 'typescript';
import { createSourceProgram } from './source-program.js';
import { ROOT } from './source-tree.js';

const printer = ts.createPrinter({ removeComments: true });

/**
 * Lists the declarations of every name that the entry points export, without comments, sorted by name. Types that a
 * public signature mentions are exported too, so every change of a signature changes the report.
 */
export function apiReport(entryPoints: readonly string[]): string {
  // Signatures infer types from its schemas.
  const program = createSourceProgram(entryPoints, ['zod']);
  const checker = program.getTypeChecker();
  const declarations = new Declarations(program);
  const sections = entryPoints.map((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, path))!)!;
    const exported = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const texts = exported.map((symbol) => {
      const local = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
      const renamed = local.name === symbol.name ? '' : `// ${local.name} as ${symbol.name}\n`;
      return renamed + declarations.of(local).join('\n');
    });
    return [`// ${path}`, ...texts].join('\n\n');
  });
  return `${sections.join('\n\n')}\n`;
}

/** The declarations that the compiler writes for the names of a program. */
class Declarations {
  readonly #files = new Map<ts.SourceFile, ts.SourceFile>();

  constructor(private readonly program: ts.Program) {}

  /** Overloads and merged declarations are several texts. */
  of(symbol: ts.Symbol): string[] {
    const sources = new Set(symbol.declarations!.map((declaration) => declaration.getSourceFile()));
    return [...sources].flatMap((source) => {
      const file = this.#declarationFile(source);
      return file.statements
        .filter((statement) => namesOf(statement).includes(symbol.name))
        .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file));
    });
  }

  #declarationFile(source: ts.SourceFile): ts.SourceFile {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    let text = '';
    this.program.emit(source, (_, written) => (text = written), undefined, true);
    const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true);
    this.#files.set(source, file);
    return file;
  }
}

/** The names that a top-level statement of a declaration file declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { name?: ts.Node };
  return name === undefined ? [] : [name.getText()];
}
