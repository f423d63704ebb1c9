import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { renderResults } from '../../bench/results/render.mjs';
import { EXIT_CODES } from '../../src/cli/errors/exit-codes.js';
import { exitCodeOf } from '../../src/domain/diagnose/verdict.js';
import { rendered, reportsText } from '../cli/commands/domain/report-builder.js';
import { situationLab, SITUATIONS } from '../domain/situations.js';
import { createSourceProgram } from '../support/source-program.js';
import { ROOT } from '../support/source-tree.js';
import { code, expectCurrentBlocks, formatPage, table } from './generated-page.js';

const PAGES = ['docs/library.md', 'docs/ci.md', 'docs/comparison.md', 'docs/domains.md'];
interface Comparison {
  date: string;
  node: string;
  rows: { id: string; title: string; want: string }[];
  clients: {
    name: string;
    versions: string[];
    cells: Record<string, { text: string; good: boolean | null }>;
  }[];
}

const comparison = readJson('bench/results/clients.json') as Comparison;
const program = createSourceProgram(['src/index.ts']);
const checker = program.getTypeChecker();
const entry = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, 'src/index.ts'))!)!;
const exported = new Map(checker.getExportsOfModule(entry).map((symbol) => [symbol.name, unaliased(symbol)]));

test.each(PAGES)('the tables of %s come from docstrings and benchmarks', (page) =>
  expectCurrentBlocks(page, tableOf),
);

test('the page of benchmark results comes from the results and the reasons', async () => {
  const page = 'bench/RESULTS.md';
  const [results, reasons] = ['speed', 'missed-bars'].map((name) => readJson(`bench/results/${name}.json`));
  const rendered = await formatPage(page, renderResults(results, reasons));
  await expect(rendered).toMatchFileSnapshot(join(ROOT, page));
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function tableOf(kind: string, name: string): string | Promise<string> {
  if (kind === 'situations') return situationsTable();
  if (kind === 'clients') return clientsTable(name.split(', '));
  if (kind === 'client-versions') return clientVersions();
  if (kind === 'options') return optionsTable(name);
  if (kind === 'errors') return errorsTable();
  if (kind === 'exit-codes') return exitCodesTable();
  return eventsTable();
}

/** The properties that the type itself declares. */
function optionsTable(name: string): string {
  const declaration = declarationOf(name);
  if (!ts.isInterfaceDeclaration(declaration)) throw new Error(`${name} is not an interface`);
  const rows = declaration.members.filter(ts.isPropertySignature).map((member) => {
    const symbol = checker.getSymbolAtLocation(member.name)!;
    return [code(symbol.name), code(typeText(member)), defaultOf(symbol), firstParagraph(symbol)];
  });
  return table(['option', 'type', 'default', 'meaning'], rows);
}

function exitCodesTable(): string {
  return table(
    ['code', 'name', 'when'],
    EXIT_CODES.map(({ code, name, summary }) => [String(code), name, summary]),
  );
}

function errorsTable(): string {
  const classes = [...exported.values()].filter(
    (symbol) => isError(symbol) && typeLiteral(symbol) !== undefined,
  );
  return table(
    ['class', '`type`', 'when'],
    classes.map((symbol) => [code(symbol.name), code(typeLiteral(symbol)!), firstParagraph(symbol)]),
  );
}

function eventsTable(): string {
  const union = declarationOf('ClientEvent');
  if (!ts.isTypeAliasDeclaration(union) || !ts.isUnionTypeNode(union.type)) throw new Error('not a union');
  const source = union.getSourceFile().text;
  const rows = union.type.types.filter(ts.isTypeLiteralNode).map((variant, index, variants) => {
    // The comment is before the bar, so it belongs to no node.
    const before = source.slice(variants[index - 1]?.end ?? union.type.pos, variant.getStart());
    const comment =
      /\/\*\*(.*)\*\//s
        .exec(before)?.[1]
        ?.replaceAll(/\s+\*?\s+/g, ' ')
        .trim() ?? '';
    const members = variant.members.filter(ts.isPropertySignature);
    const [type, ...fields] = members.map((member) => [member.name.getText(), member] as const);
    const names = fields.map(([field, { questionToken }]) => code(field + (questionToken ? '?' : '')));
    return [code(type![1].type!.getText().replaceAll("'", '')), comment, names.join(', ')];
  });
  return table(['`type`', 'when', 'fields'], rows);
}

/** What `domain verify` prints first, and its exit code. test/domain/follow-advice.test.ts follows the advice. */
async function situationsTable(): Promise<string> {
  const rows = await Promise.all(
    SITUATIONS.map(async (situation) => {
      const { did, request } = situation;
      const report = await situationLab(situation).check(request);
      const style = {
        stdout: { isTTY: false, width: 10_000, colorLevel: 0 as const },
        now: 0,
        verbose: false,
      };
      const [first = ''] = (await reportsText([rendered(report)], style)).split('\n');
      return [did, first, String(exitCodeOf(report.state, report.findings))];
    }),
  );
  return table(['the owner', 'first line', 'exit code'], rows);
}

/** What clients did in `bench/clients.mjs`. */
function clientsTable(names: readonly string[]): string {
  const chosen = names.map((name) => comparison.clients.find((client) => client.name === name)!);
  const rows = comparison.rows.map(({ id, title, want }) => [
    title,
    want,
    ...chosen.map(({ cells }) => cellText(cells[id]!)),
  ]);
  return table(['situation', 'good', ...names], rows);
}

function cellText({ text, good }: Comparison['clients'][number]['cells'][string]): string {
  return good === null ? text : `${good ? '✓' : '✗'} ${text}`;
}

function clientVersions(): string {
  const packages = comparison.clients.flatMap(({ versions }) => versions);
  return `Measured on ${comparison.date} with Node ${comparison.node}: ${packages.join(', ')}.`;
}

function declarationOf(name: string): ts.Declaration {
  return exported.get(name)!.declarations![0]!;
}

function isError(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Class) !== 0;
}

/** The value of the property `type`, such as `rate-limit`; `undefined` for base classes. */
function typeLiteral(symbol: ts.Symbol): string | undefined {
  const property = checker.getDeclaredTypeOfSymbol(symbol).getProperty('type');
  const type = property && checker.getTypeOfSymbol(property);
  return type?.isStringLiteral() ? type.value : undefined;
}

function typeText(member: ts.PropertySignature): string {
  return (member.type?.getText() ?? '').replaceAll(/\s*\|\s*undefined\b/g, '').replaceAll(/\s+/g, ' ');
}

function defaultOf(symbol: ts.Symbol): string {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'default');
  return tag === undefined ? '' : ts.displayPartsToString(tag.text);
}

function firstParagraph(symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return text.split('\n\n')[0]!.replaceAll(/^- /gm, '').replaceAll(/\s+/g, ' ');
}

function unaliased(symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}
