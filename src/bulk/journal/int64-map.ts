/**
 * Maps 64-bit integers to row numbers, in twelve bytes for each place. A `Map` of a million bigints would exceed the
 * memory that an import may use.
 */
export class Int64Map {
  /** The map of the imports before, in the same journal. */
  readonly #earlier: Int64Map | undefined;
  readonly #keys: BigInt64Array;
  /** 0 for a free place. */
  readonly #rows: Uint32Array;
  #free: number;

  /** @param size maximum number of keys. Others are not added. */
  constructor(size: number, earlier?: Int64Map) {
    // Free places keep the probing short, and one of them ends it.
    const places = Math.ceil(size * 1.4) + 1;
    this.#keys = new BigInt64Array(places);
    this.#rows = new Uint32Array(places);
    this.#free = size;
    this.#earlier = earlier;
  }

  /** Checks for a key, also in the map of the imports before. */
  has(key: bigint): boolean {
    return this.get(key) !== 0 || this.#earlier?.has(key) === true;
  }

  /** Returns the row, from 1; 0 if the key is not in this map. */
  get(key: bigint): number {
    return this.#rows[this.#placeOf(key)] ?? 0;
  }

  /** @param row from 1. A key can't be removed. */
  set(key: bigint, row: number): void {
    const place = this.#placeOf(key);
    if (this.#rows[place] === 0 && (this.#free -= 1) < 0) return;
    this.#keys[place] = key;
    this.#rows[place] = row;
  }

  *entries(): Generator<[key: bigint, row: number]> {
    for (const [place, row] of this.#rows.entries()) if (row !== 0) yield [this.#keys[place] ?? 0n, row];
  }

  /** Returns the place of a key, or the free place for it: linear probing. */
  #placeOf(key: bigint): number {
    // The upper bits of the product choose the place, because ids may all end in zeros.
    const product = Math.imul(Number(BigInt.asIntN(32, key ^ (key >> 32n))), 0x9e3779b1) >>> 0;
    let place = Math.floor((product / 2 ** 32) * this.#keys.length);
    while (this.#rows[place] !== 0 && this.#keys[place] !== key) place = (place + 1) % this.#keys.length;
    return place;
  }
}
