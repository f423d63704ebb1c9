import { describe, expect, test } from 'vitest';
import { BLOCK_ROWS, InputDigest } from '../../../src/bulk/input/input-digest.js';
import type { RowPet } from '../../../src/bulk/rows/row.js';

const pet = (number: number, more: Partial<RowPet> = {}): RowPet => ({
  name: `pet ${String(number)}`,
  categoryId: BigInt(number),
  ...more,
});

function digest(pets: readonly RowPet[]): InputDigest {
  const inputDigest = new InputDigest();
  for (const each of pets) inputDigest.add(each);
  return inputDigest.end();
}

const PETS = Array.from({ length: 2 * BLOCK_ROWS + 3 }, (_, index) => pet(index + 1));

describe('an input digest', () => {
  test('equals itself, also when restored from a journal', () => {
    const original = digest(PETS);
    expect(original.rows).toBe(PETS.length);
    expect(original.blocks).toHaveLength(3);
    expect(original.firstDifference(digest(PETS))).toBeUndefined();
    expect(InputDigest.of(original.rows, original.blocks).firstDifference(digest(PETS))).toBeUndefined();
  });

  test.each([
    ['another name', 1, { name: 'x' }],
    ['another category', 257, { categoryId: 1n }],
    ['another status', 300, { status: 'sold' as const }],
    ['the last row', PETS.length, { name: 'x' }],
  ])('detects %s, and returns its row', (_, row, change) => {
    const other = PETS.with(row - 1, { ...PETS[row - 1]!, ...change });
    expect(digest(PETS).firstDifference(digest(other))).toBe(row);
  });

  test.each([1, BLOCK_ROWS, BLOCK_ROWS + 1, PETS.length])('detects a removed row (%d)', (row) => {
    expect(digest(PETS).firstDifference(digest(PETS.toSpliced(row - 1, 1)))).toBe(row);
  });

  test.each([PETS.length, BLOCK_ROWS])('detects rows added after row %d', (rows) => {
    const before = PETS.slice(0, rows);
    expect(digest(before).firstDifference(digest([...before, pet(9_999)]))).toBe(rows + 1);
  });

  test('detects swapped rows', () => {
    const swapped = PETS.with(4, PETS[5]!).with(5, PETS[4]!);
    expect(digest(PETS).firstDifference(digest(swapped))).toBe(5);
  });

  test('can be empty', () => {
    expect(digest([]).firstDifference(digest([]))).toBeUndefined();
    expect(digest([]).firstDifference(digest([pet(1)]))).toBe(1);
  });
});

test('compares one block with the digest', () => {
  const original = digest(PETS);
  const second = PETS.slice(BLOCK_ROWS, 2 * BLOCK_ROWS);
  expect(original.differenceInBlock(1, second)).toBeUndefined();
  expect(original.differenceInBlock(1, second.with(7, pet(1)))).toBe(7);
  expect(original.differenceInBlock(2, PETS.slice(2 * BLOCK_ROWS, -1))).toBe(2);
});

test('keeps fields apart', () => {
  const one = digest([pet(1, { name: 'a","1' })]);
  expect(one.firstDifference(digest([pet(11, { name: 'a' })]))).toBe(1);
});
