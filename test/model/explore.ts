import { hash } from 'node:crypto';

// A model checker for the rate gate and the import journal. It explores every order of steps within a bound, nearest states
// first. One fault is a crash, a lost response, a 429 response or a clock step at any point. A failure shows the shortest
// trace: one step a line, and then the broken property. Processes are A, B and C.

/** What one step leads to. A state is plain data. */
export interface Step<State> {
  action: string;
  state: State;
  /** The property that the step breaks. */
  violation?: string | undefined;
}

export interface Exploration {
  states: number;
  /** The shortest trace to the first violation, and the broken property. */
  trace: string[] | undefined;
}

const texts = new WeakMap<object, string>();

/** A text of a state, the same for equal ones. Those of its parts are kept, because a step changes few of them. */
function textOf(state: object): string {
  return Object.values(state).map(textOfPart).join('\n');
}

/** A text of a part of a state. */
export function textOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  if (Array.isArray(part)) return part.map(textOfPart).join('\t');
  const known = texts.get(part) ?? JSON.stringify(part);
  texts.set(part, known);
  return known;
}

/**
 * Explores all states that can be reached, nearest first. Stops at the first violation.
 *
 * @param keyOf returns the same text for states that behave alike.
 */
export async function explore<State extends object>(
  start: State,
  next: (state: State) => Step<State>[] | Promise<Step<State>[]>,
  keyOf: (state: State) => string = textOf,
): Promise<Exploration> {
  const digestOf = (state: State): string => {
    const key = keyOf(state);
    return key.length > 200 ? hash('sha1', key, 'binary') : key;
  };
  const known = new Set([digestOf(start)]);
  const frontier: (State | undefined)[] = [start];
  const parents = [0];
  const actions = [''];
  const traceTo = (index: number): string[] =>
    index === 0 ? [] : [...traceTo(parents[index]!), actions[index]!];
  for (let index = 0; index < frontier.length; index += 1) {
    const state = frontier[index]!;
    frontier[index] = undefined;
    for (const { action, state: following, violation } of await next(state)) {
      if (violation !== undefined)
        return { states: known.size, trace: [...traceTo(index), action, violation] };
      const digest = digestOf(following);
      if (known.has(digest)) continue;
      known.add(digest);
      frontier.push(following);
      parents.push(index);
      actions.push(action);
    }
  }
  return { states: known.size, trace: undefined };
}
