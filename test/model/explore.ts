import { hash } from 'node:crypto';
import { settle } from '../support/virtual-clock.js';
import { runTurns } from './load-source.js';

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

/** Explores all states that can be reached, nearest first. Stops at the first violation. */
export async function explore<State>(
  start: State,
  next: (state: State) => Promise<Step<State>[]>,
): Promise<Exploration> {
  const known = new Set([keyOf(start)]);
  const frontier: (State | undefined)[] = [start];
  const parents = [0];
  const actions = [''];
  const traceTo = (index: number): string[] =>
    index === 0 ? [] : [...traceTo(parents[index]!), actions[index]!];
  for (let index = 0; index < frontier.length; index += 1) {
    const state = frontier[index]!;
    frontier[index] = undefined;
    // Lets the process do other work, too.
    if (index % 1_000 === 0) await settle();
    for (const { action, state: following, violation } of await next(state)) {
      if (violation !== undefined)
        return { states: known.size, trace: [...traceTo(index), action, violation] };
      const key = keyOf(following);
      if (known.has(key)) continue;
      known.add(key);
      frontier.push(following);
      parents.push(index);
      actions.push(action);
    }
  }
  return { states: known.size, trace: undefined };
}

const keyOf = (state: unknown): string => hash('sha1', JSON.stringify(state), 'base64');

/** A process that waits for its next input. It depends only on its inputs so far. */
interface Machine<Input, View> {
  apply(input: Input): void;
  /** What the model shows of it. */
  view(): View;
}

/**
 * The states of a process. A state is entered again by a replay of the inputs that first led to it, because objects with
 * promises can't be copied. States with the same fields are one state.
 */
export class Replays<Seed, Input, View> {
  readonly #states: { seed: Seed; inputs: Input[]; view: View }[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #steps = new Map<string, number>();

  /** @param ignored names of fields that can't change a later step. */
  constructor(
    private readonly create: (seed: Seed) => Machine<Input, View>,
    private readonly ignored: readonly string[],
  ) {}

  view(state: number): View {
    return this.#states[state]!.view;
  }

  start(seed: Seed): Promise<number> {
    return this.#enter(JSON.stringify(seed), seed, []);
  }

  step(state: number, input: Input): Promise<number> {
    const { seed, inputs } = this.#states[state]!;
    return this.#enter(`${state} ${JSON.stringify(input)}`, seed, [...inputs, input]);
  }

  async #enter(step: string, seed: Seed, inputs: Input[]): Promise<number> {
    const known = this.#steps.get(step);
    if (known !== undefined) return known;
    const machine = this.create(seed);
    await runTurns();
    for (const input of inputs) {
      machine.apply(input);
      await runTurns();
    }
    const key = hash('sha1', JSON.stringify(machine, this.#plain), 'base64');
    const number = this.#numbers.get(key) ?? this.#states.push({ seed, inputs, view: machine.view() }) - 1;
    this.#numbers.set(key, number);
    this.#steps.set(step, number);
    return number;
  }

  readonly #plain = (name: string, value: unknown): unknown => {
    if (this.ignored.includes(name)) return undefined;
    if (value instanceof Set || value instanceof Map || ArrayBuffer.isView(value))
      return [...(value as Iterable<unknown>)];
    return typeof value === 'bigint' ? String(value) : value;
  };
}
