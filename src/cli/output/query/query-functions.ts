import { stringifyJson } from '../../../schema/json.js';
import { type JmesPath, ORDERING_FUNCTIONS } from './query-syntax.js';
import { compareValues } from '../rows/sort.js';

type Interpreter = JmesPath['TreeInterpreter'];
type Expression = Parameters<Interpreter['visit']>[0];

/**
 * Replaces the library's functions that round or reject a bigint. The library's `sort` also compares numbers as text (10
 * before 9). Its `max_by` returns null for strings, and its `group_by` fails for a key such as `constructor`.
 */
export function registerExactFunctions(interpreter: Interpreter, jmespath: JmesPath): void {
  const any = [{ types: [jmespath.TYPE_ANY] }];
  const array = [{ types: [jmespath.TYPE_ARRAY] }];
  const arrayAndKey = [...array, { types: [jmespath.TYPE_EXPREF] }];
  const register = (name: string, run: (args: unknown[]) => unknown, signature: typeof any): void => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- register() takes no built-in name
    interpreter.runtime.registerFunction(name, run as (args: unknown[]) => never, signature, {
      override: true,
    });
  };
  /** The items of a list with what they are compared by: the value of the key, if there is one. */
  const keyed = (name: string, [items, key]: unknown[]): Keyed[] => {
    const all = (items as unknown[]).map((item) => ({
      item,
      key: key === undefined ? item : interpreter.visit(key as Expression, item as never),
    }));
    requireOneKind(name, all);
    return all;
  };

  for (const [operator, name] of Object.entries(ORDERING_FUNCTIONS)) {
    register(name, ([left, right]) => compareInOrder(operator, left, right), [...any, ...any]);
  }
  const functions: Readonly<Record<string, (all: readonly Keyed[]) => unknown>> = {
    sort: sorted,
    max: (all) => extreme(all, 1),
    min: (all) => extreme(all, -1),
  };
  for (const [name, run] of Object.entries(functions)) {
    register(name, (args) => run(keyed(name, args)), array);
    register(`${name}_by`, (args) => run(keyed(`${name}_by`, args)), arrayAndKey);
  }
  register('group_by', (args) => grouped(keyed('group_by', args)), arrayAndKey);
  register('to_string', ([value]) => (typeof value === 'string' ? value : stringifyJson(value)), any);
  register('to_number', ([value]) => toNumber(value), any);
  exactTypes(interpreter.runtime, jmespath.TYPE_NUMBER);
  register('type', ([value]) => typeName(value), any);
}

/** The library has no type for a bigint, and then skips the type check of an argument. */
function exactTypes(runtime: Interpreter['runtime'], numberType: number): void {
  const typed = runtime as unknown as { getTypeName(value: unknown): number | undefined };
  const typeOfOthers = typed.getTypeName.bind(runtime);
  typed.getTypeName = (value) => (typeof value === 'bigint' ? numberType : typeOfOthers(value));
}

interface Keyed {
  item: unknown;
  key: unknown;
}

/** Compares two numbers. Null for other values, as the JMESPath specification says. */
function compareInOrder(operator: string, left: unknown, right: unknown): boolean | null {
  if (typeName(left) !== 'number' || typeName(right) !== 'number') return null;
  const order = compareValues(left, right);
  if (operator === 'GT') return order > 0;
  if (operator === 'GTE') return order >= 0;
  return operator === 'LT' ? order < 0 : order <= 0;
}

function requireOneKind(name: string, keyed: readonly Keyed[]): void {
  const kinds = new Set(keyed.map(({ key }) => typeName(key)));
  const [kind, other] = kinds;
  if (kind === undefined || (other === undefined && (kind === 'number' || kind === 'string'))) return;
  throw new Error(`${name}() needs only numbers or only strings, but found ${[...kinds].join(' and ')}`);
}

function sorted(keyed: readonly Keyed[]): unknown[] {
  return keyed.toSorted((a, b) => compareValues(a.key, b.key)).map(({ item }) => item);
}

function extreme(keyed: readonly Keyed[], sign: 1 | -1): unknown {
  let best: Keyed | undefined;
  for (const candidate of keyed) {
    if (best === undefined || sign * compareValues(candidate.key, best.key) > 0) best = candidate;
  }
  return best === undefined ? null : best.item;
}

function grouped(keyed: readonly Keyed[]): Record<string, unknown[]> {
  const groups = Object.create(null) as Record<string, unknown[]>;
  for (const { item, key } of keyed) {
    if (typeof key !== 'string') throw new Error('group_by() needs only strings, but found number');
    (groups[key] ??= []).push(item);
  }
  return groups;
}

function toNumber(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return null;
  const number = Number(value);
  return /^-?\d+$/.test(value) && !Number.isSafeInteger(number) ? BigInt(value) : number;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
