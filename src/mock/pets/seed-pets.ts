import { createRandom, type Random } from '../service/random.js';
import type { MockPet } from './store.js';

/** Names by category: 1 dogs, 2 cats, 3 birds, 4 rabbits and rodents, 5 fish, 6 reptiles. */
const CATALOGUE: readonly (readonly [categoryId: bigint, names: readonly string[]])[] = [
  [1n, ['Biscuit', 'Rex', 'Bella', 'Otto', 'Daisy', 'Bruno', 'Maple', 'Ziggy', 'Žofie', 'Fünf']],
  [2n, ['Mittens', 'Luna', 'Oliver', 'Cleo', 'Felix', 'Pepper', '小春', 'Mr. Whiskers', 'Socks', 'Misha']],
  [3n, ['Kiwi', 'Mango', 'Captain', 'Sunny', 'Rio', 'Percy']],
  [4n, ['Möhre', 'Thumper', 'Hazel', 'Nibbles', 'Clover', 'Peanut']],
  [5n, ['Bubbles', 'Finn', 'Coral', 'Goldie']],
  [6n, ['Shelly', 'Spike', 'Iggy', 'Noodle']],
];

/** Names that the first page of every store contains, so that a default list shows non-ASCII and wide characters. */
const FIRST_PAGE_NAMES = ['Möhre', '小春', 'Žofie'];
const FIRST_PAGE_LENGTH = 20;

/** 2^53 + 1, the first integer that a JavaScript number can't represent: a lossy parser returns …992. */
const LONG_ID = 9_007_199_254_740_993n;
const LONG_ID_INDEX = 7;
const LONG_CATEGORY_ID = 9_223_372_036_854_775_807n;
const LONG_CATEGORY_INDEX = 22;

const FIRST_ID = 1n;

/** Default number of pets in a store: more than the default page of 20. */
export const SEED_PETS_DEFAULT = 25;

/** Generates pets, the same for the same seed on every machine. Ids count from 1, except one above 2^53. */
export function generatePets(count: number, seed: number): readonly MockPet[] {
  const random = createRandom(seed);
  const pets: MockPet[] = [];
  let queue: Entry[] = [];
  let nextId = FIRST_ID;
  while (pets.length < count) {
    if (queue.length === 0) queue = shuffledQueue(random, pets.length === 0);
    const { name, categoryId } = queue.shift() as Entry;
    const index = pets.length;
    pets.push({
      id: index === LONG_ID_INDEX ? LONG_ID : nextId++,
      name,
      categoryId: index === LONG_CATEGORY_INDEX ? LONG_CATEGORY_ID : categoryId,
      status: randomStatus(random()),
    });
  }
  return pets;
}

interface Entry {
  name: string;
  categoryId: bigint;
}

function shuffledQueue(random: Random, first: boolean): Entry[] {
  const queue = CATALOGUE.flatMap(([categoryId, names]) => names.map((name) => ({ name, categoryId })));
  for (let last = queue.length - 1; last > 0; last -= 1) swap(queue, last, Math.floor(random() * (last + 1)));
  if (first) {
    for (const name of FIRST_PAGE_NAMES) {
      const at = queue.findIndex((entry) => entry.name === name);
      if (at >= FIRST_PAGE_LENGTH) swap(queue, at, replaceableIndex(queue, random));
    }
  }
  return queue;
}

function replaceableIndex(queue: readonly Entry[], random: Random): number {
  for (;;) {
    const index = Math.floor(random() * FIRST_PAGE_LENGTH);
    if (!FIRST_PAGE_NAMES.includes(queue[index]?.name ?? '')) return index;
  }
}

function swap(queue: Entry[], one: number, other: number): void {
  const entry = queue[one] as Entry;
  queue[one] = queue[other] as Entry;
  queue[other] = entry;
}

function randomStatus(value: number): MockPet['status'] {
  if (value < 0.6) return 'available';
  return value < 0.8 ? 'pending' : 'sold';
}
