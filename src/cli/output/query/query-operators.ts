/** Internal function names of the ordering operators. No expression can call them by name. */
export const ORDERING_FUNCTIONS = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const;

/** Binding powers of the operators between two expressions. A higher one binds closer. */
export const POWERS: Readonly<Record<string, number>> = {
  '|': 1,
  '||': 3,
  '&&': 4,
  ...{ '==': 5, '!=': 5, '<': 5, '<=': 5, '>': 5, '>=': 5 },
  '[]': 9,
  '[?': 21,
  '.': 40,
  '[': 55,
};
/** Operators below this end a projection. */
export const PROJECTION_END = 9;
/** The binding power of what a `*` applies to. */
export const STAR = 20;
export const NOT = 45;

export const COMPARATORS: Readonly<Record<string, string>> = { '==': 'EQ', '!=': 'NE' };
export const ORDERINGS: ReadonlySet<string> = new Set(Object.values(ORDERING_FUNCTIONS));
export const LOGIC: Readonly<Record<string, string>> = {
  '|': 'Pipe',
  '||': 'OrExpression',
  '&&': 'AndExpression',
};
