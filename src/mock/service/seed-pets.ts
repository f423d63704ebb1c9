import { createRandom, type Random } from './random.js';
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

/** Cards of the first deck that every store has to show, so that a default list has non-ASCII and wide names in it. */
const FIRST_PAGE_NAMES = ['Möhre', '小春', 'Žofie'];
const FIRST_PAGE_LENGTH = 20;

/** 2^53 + 1, the first integer that a JavaScript number can't hold: a reader that loses digits shows …992. */
const LONG_ID = 9_007_199_254_740_993n;
const LONG_ID_INDEX = 7;
const LONG_CATEGORY_ID = 9_223_372_036_854_775_807n;
const LONG_CATEGORY_INDEX = 22;

const FIRST_ID = 1n;

/** How many animals a store holds when nothing else is said: more than the default page of 20. */
export const SEED_PETS_DEFAULT = 25;

/** Makes animals: the same from the same seed, on every machine. Ids count from 1, but for one beyond 2^53. */
export function seedPets(count: number, seed: number): readonly MockPet[] {
  const random = createRandom(seed);
  const pets: MockPet[] = [];
  let deck: Card[] = [];
  let nextId = FIRST_ID;
  while (pets.length < count) {
    if (deck.length === 0) deck = shuffledDeck(random, pets.length === 0);
    const { name, categoryId } = deck.shift() as Card;
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

interface Card {
  name: string;
  categoryId: bigint;
}

function shuffledDeck(random: Random, first: boolean): Card[] {
  const deck = CATALOGUE.flatMap(([categoryId, names]) => names.map((name) => ({ name, categoryId })));
  for (let last = deck.length - 1; last > 0; last -= 1) swap(deck, last, Math.floor(random() * (last + 1)));
  if (first) {
    for (const name of FIRST_PAGE_NAMES) {
      const at = deck.findIndex((card) => card.name === name);
      if (at >= FIRST_PAGE_LENGTH) swap(deck, at, replaceableIndex(deck, random));
    }
  }
  return deck;
}

function replaceableIndex(deck: readonly Card[], random: Random): number {
  for (;;) {
    const place = Math.floor(random() * FIRST_PAGE_LENGTH);
    if (!FIRST_PAGE_NAMES.includes(deck[place]?.name ?? '')) return place;
  }
}

function swap(deck: Card[], one: number, other: number): void {
  const held = deck[one] as Card;
  deck[one] = deck[other] as Card;
  deck[other] = held;
}

function randomStatus(drawn: number): MockPet['status'] {
  if (drawn < 0.6) return 'available';
  return drawn < 0.8 ? 'pending' : 'sold';
}
