import type { GateBound, News, Process, World } from './gate-model.js';
import { textOfPart } from './explore.js';

/** Texts and numbers of the states of one exploration. */
export interface GateKeys {
  /** Returns the same text for states that behave alike. The processes are equal, so their names do not matter. */
  keyOf(world: World): string;
  /** Returns the same text for states and processes with the same update. */
  updateKey(world: World, index: number): string;
}

/**
 * Few budgets and states of a process occur, in many combinations. So each of their texts has a number, and a state has a
 * short key.
 *
 * @param names of the processes, one character each.
 */
export function createGateKeys(bound: GateBound, names: string): GateKeys {
  const numbers = new Map<string, number>();
  const orders = ordersOf([...names.slice(0, bound.processes)].map((_, index) => index));
  const renamed = orders.map(() => new Map<string, number>());
  const nameless = new Map<string, number>();
  const holders = new RegExp(`holder\\W+([${names}])`, 'g');
  const own = new WeakMap<Process, { now: number; number: number }>();
  return { keyOf, updateKey };

  function keyOf(world: World): string {
    const { now, text, processes, used, usedLong, stored, lost, faults } = world;
    const ownNumbers = processes.map((process) => ownNumber(process, now));
    const updates = processes.map(({ update }) => update?.text ?? '');
    const ranks = ownNumbers.map((number, index) => [number, namelessNumber(updates[index]!)] as const);
    let key: string | undefined;
    for (const [place, order] of orders.entries()) {
      if (!isSorted(order, ranks)) continue;
      const texts = [text, ...order.map((index) => updates[index]!)].map((each) =>
        renamedNumber(each, place),
      );
      const candidate = texts.join();
      if (key === undefined || candidate < key) key = candidate;
    }
    const ordered = ownNumbers.sort((one, other) => one - other).join();
    const long = bound.longLimit === undefined ? 0 : usedLong;
    return `${key!} ${ordered} ${now},${used},${long},${lost},${faults},${textOfNews(stored, now)}`;
  }

  function updateKey({ now, text, processes }: World, index: number): string {
    const dead = processes.map(({ isDead }) => Number(isDead)).join('');
    return `${index},${now},${dead},${numberOf(text, numbers)},${ownNumber(processes[index]!, now)}`;
  }

  /** The number of the state of a process without the budget of its update. */
  function ownNumber(process: Process, now: number): number {
    const known = own.get(process);
    if (known?.now === now) return known.number;
    const number = numberOf(textOfProcess(process, now), numbers);
    own.set(process, { now, number });
    return number;
  }

  function textOfProcess(process: Process, now: number): string {
    const { isDead, calls, waiting, requests, ended, lastLease, update, received } = process;
    const start = `${Number(isDead)},${calls},${waiting},${lastLease},${textOfNews(received, now)}`;
    const lists = `${textOfPart(requests)};${textOfPart(ended)}`;
    if (update === undefined) return `${start};${lists};${pollOf(process, now)}`;
    const { at, isStale, admitted, reported, pollsAt, news, hasLearned } = update;
    const flags = `${Number(isStale)}${Number(hasLearned)}`;
    return `${start};${lists};${at},${flags},${reported},${pollsAt},${textOfNews(news, now)},${admitted.join('+')}`;
  }

  /** When a process polls. Only that of one that waits, without an update, is read before it is replaced. */
  function pollOf({ waiting, pollsAt, isFresh }: Process, now: number): string {
    if (waiting === 0) return '';
    return !isFresh || pollsAt <= now ? 'due' : String(pollsAt);
  }

  function renamedNumber(text: string, place: number): number {
    const known = renamed[place]!.get(text);
    if (known !== undefined) return known;
    const order = orders[place]!;
    const plain = text.replaceAll(
      holders,
      (_, name: string) => `holder ${order.indexOf(names.indexOf(name))}`,
    );
    const number = numberOf(plain, numbers);
    renamed[place]!.set(text, number);
    return number;
  }

  function namelessNumber(text: string): number {
    const known = nameless.get(text);
    if (known !== undefined) return known;
    const number = numberOf(text.replaceAll(holders, 'holder'), numbers);
    nameless.set(text, number);
    return number;
  }
}

function numberOf(text: string, numbers: Map<string, number>): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** What is over has no effect. */
function textOfNews({ heldUntil, window }: News, now: number): string {
  return `${heldUntil > now ? heldUntil : 0}:${window}`;
}

function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length === 0) return [[]];
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((index) => index !== first)).map((rest) => [first, ...rest]),
  );
}

function isSorted(order: readonly number[], ranks: readonly (readonly [number, number])[]): boolean {
  return order.every((index, place) => {
    if (place === 0) return true;
    const [before, here] = [ranks[order[place - 1]!]!, ranks[index]!];
    return before[0] < here[0] || (before[0] === here[0] && before[1] <= here[1]);
  });
}
