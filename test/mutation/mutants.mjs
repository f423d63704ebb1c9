// Makes the mutants of a source file: one file that contains all of them. `__m(id)` says whether a mutant is active.
import ts from 'typescript';

const SWAPS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '??': '&&',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
  '||=': '=',
  '&&=': '=',
  '++': '--',
  '--': '++',
};
const METHODS = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);
const REMOVED_METHODS = new Set('filter slice sort toSorted reverse toReversed trim trimEnd'.split(' '));
const COMPARISONS = new Set(['<', '<=', '>', '>=', '===', '!==']);

/**
 * @param source TypeScript.
 * @param firstId the id of the first mutant. The others follow.
 * @returns the code with all mutants, and what each changes.
 */
export function makeMutants(path, source, firstId) {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const mutants = [];
  return { code: render(tree, 0), mutants };

  /** The text of a node whose children contain their mutants. */
  function render(node, start = node.getStart()) {
    const children = [];
    node.forEachChild((child) => void children.push(child));
    let [text, at] = ['', start];
    for (const child of children.sort((a, b) => a.pos - b.pos)) {
      text += source.slice(at, child.getStart()) + visit(child);
      at = child.end;
    }
    return text + source.slice(at, node.end);
  }

  function visit(node) {
    if (isWithoutMutants(node)) return node.getText();
    const change = isStatement(node) ? changeStatement(node) : undefined;
    if (change !== undefined)
      return change.begin(addMutant(node, change.text)) + render(node) + (change.end ?? '');
    const changes = ts.isBlock(node) ? [] : changesOf(node);
    if (ts.isBlock(node) && isRemovableBlock(node)) {
      const isBody = ts.isFunctionLike(node.parent);
      const id = addMutant(node, '{}');
      const inner = render(node).slice(1, -1);
      return isBody ? `{ if (__m(${id})) return; ${inner}}` : `{ if (!__m(${id})) {${inner}} }`;
    }
    if (changes.length === 0) return render(node);
    const conditions = changes.map((text) => `__m(${addMutant(node, text)}) ? ${text} : `);
    return `(${conditions.join('')}${render(node)})`;
  }

  function addMutant(node, to) {
    const { line, character } = tree.getLineAndCharacterOfPosition(node.getStart());
    const from = node.getText().replace(/\s+/g, ' ');
    mutants.push({ at: `${path}:${line + 1}:${character + 1}`, from, to: to.replace(/\s+/g, ' ') });
    return firstId + mutants.length - 1;
  }
}

function isWithoutMutants(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isHeritageClause(node) ||
    ts.isTaggedTemplateExpression(node) ||
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

const isStatement = (node) =>
  ts.isExpressionStatement(node) || ts.isReturnStatement(node) || ts.isThrowStatement(node);

/** Removal of a statement. Not of one that is alone in its block: the block is removed. */
function changeStatement(node) {
  const { parent, expression } = node;
  const isOnly =
    !ts.isCaseClause(parent) && !ts.isDefaultClause(parent) && (parent.statements?.length ?? 0) < 2;
  if (isOnly && !(ts.isReturnStatement(node) && ts.isIfStatement(parent) && expression !== undefined))
    return undefined;
  if (ts.isReturnStatement(node) && expression !== undefined) {
    if (/^(undefined|true|false|'')$/.test(expression.getText())) return undefined;
    return { text: 'return;', begin: (id) => `{ if (__m(${id})) return; `, end: ' }' };
  }
  if (
    expression !== undefined &&
    (ts.isStringLiteral(expression) || expression.expression?.kind === ts.SyntaxKind.SuperKeyword)
  )
    return undefined;
  return { text: '', begin: (id) => `if (!__m(${id})) { `, end: ' }' };
}

/** A block that is the whole of an `if` is not removed: that is the same as a condition of `false`. */
function isRemovableBlock({ statements, parent }) {
  if (statements.length === 0 || ts.isBlock(parent)) return false;
  if (/^return( undefined)?;$/.test(statements[0].getText())) return false;
  if (ts.isConstructorDeclaration(parent) && /\bsuper\(/.test(statements[0].getText())) return false;
  if (ts.isIfStatement(parent)) return parent.elseStatement !== undefined;
  return !ts.isWhileStatement(parent) && !(ts.isForStatement(parent) && parent.condition === undefined);
}

/** The texts that replace an expression. */
function changesOf(node) {
  const { parent } = node;
  const changes = [];
  const isTest = isTestOf(node, parent);
  if (isTest || (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.getText()))) {
    if (!ts.isWhileStatement(parent) && !ts.isForStatement(parent)) changes.push('true');
    changes.push('false');
  }
  if (
    ts.isArrowFunction(parent) &&
    parent.body === node &&
    !/^(undefined|void 0|\[\]|\{\})$/.test(node.getText())
  )
    changes.push('undefined');
  if (ts.isBinaryExpression(node)) changes.push(...binaryChanges(node));
  else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    changes.push(...unaryChanges(node, isTest));
  else if (node.kind === ts.SyntaxKind.TrueKeyword) changes.push('false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) changes.push('true');
  else if (isText(node)) changes.push(...textChanges(node));
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node))
    changes.push('[]');
  else if (ts.isObjectLiteralExpression(node) && node.properties.length > 0 && !isTarget(node))
    changes.push('{}');
  else if (ts.isCallExpression(node)) changes.push(...callChanges(node));
  if (
    isChain(node) &&
    !(isChain(parent) && parent.expression === node) &&
    !ts.isDeleteExpression(parent) &&
    !ts.isNonNullExpression(parent)
  )
    changes.push(...chainChanges(node));
  return changes;
}

function isTestOf(node, parent) {
  return (
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
    (ts.isForStatement(parent) && parent.condition === node)
  );
}

function binaryChanges({ left, operatorToken, right }) {
  const operator = operatorToken.getText();
  if (operator === '+' && (isText(left) || isText(right))) return [];
  const swap = SWAPS[operator];
  if (swap === undefined) return [];
  // Parentheses, because `??` can't be next to `&&`.
  return [
    operator.endsWith('=') && !COMPARISONS.has(operator)
      ? `${left.getText()} ${swap} ${right.getText()}`
      : `(${left.getText()}) ${swap} (${right.getText()})`,
  ];
}

function unaryChanges(node, isTest) {
  const operator = ts.tokenToString(node.operator);
  const operand = node.operand.getText();
  if (operator === '!') return isTest ? [] : [operand];
  if (operator === '-') return [operand];
  const swap = SWAPS[operator];
  if (swap === undefined || operator === '+') return [];
  return [ts.isPrefixUnaryExpression(node) ? swap + operand : operand + swap];
}

const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** A text that is compared is not changed: that is the same as the result `false`. */
function textChanges(node) {
  const { parent } = node;
  if (parent.name === node || ts.isExpressionStatement(parent)) return [];
  if (ts.isBinaryExpression(parent) && /^([!=]==|in)$/.test(parent.operatorToken.getText())) return [];
  return [node.text === '' ? "'mutated'" : "''"];
}

/** Whether an array or object literal is the target of an assignment. */
function isTarget(node) {
  const { parent } = node;
  return (
    (ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '=' && parent.left === node) ||
    (ts.isForOfStatement(parent) && parent.initializer === node)
  );
}

function callChanges({ expression, arguments: given, flags }) {
  if (!ts.isPropertyAccessExpression(expression) || (flags & ts.NodeFlags.OptionalChain) !== 0) return [];
  const method = expression.name.text;
  const receiver = expression.expression.getText();
  if (REMOVED_METHODS.has(method)) return [receiver];
  const other = METHODS.get(method);
  return other === undefined
    ? []
    : [`${receiver}.${other}(${given.map((part) => part.getText()).join(', ')})`];
}

const isChain = (node) => (node.flags & ts.NodeFlags.OptionalChain) !== 0;

/** One change for each `?.` of a chain. */
function chainChanges(node) {
  const changes = [];
  for (let part = node; part !== undefined && isChain(part); part = part.expression) {
    if (part.questionDotToken === undefined) continue;
    const at = part.questionDotToken.getStart() - node.getStart();
    const text = node.getText();
    changes.push(text.slice(0, at) + (ts.isPropertyAccessExpression(part) ? '.' : '') + text.slice(at + 2));
  }
  return changes;
}
