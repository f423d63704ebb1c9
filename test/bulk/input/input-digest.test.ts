import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFile } from '../../../src/bulk/input/check-input.js';
import {
  BLOCK_ROWS,
  findLineOfRow,
  inputChanged,
  InputDigest,
  readVerifiedRows,
} from '../../../src/bulk/input/input-digest.js';
import type { RowPet } from '../../../src/bulk/rows/row.js';
import { collect } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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

const lines = (count: number): string[] => [
  'name,categoryId',
  ...Array.from({ length: count }, (_, index) => `pet ${String(index + 1)},7`),
];
const write = (path: string, text: readonly string[]): void => writeFileSync(path, `${text.join('\n')}\n`);

async function setUp(count: number) {
  const path = join(temporaryFolder(), 'pets.csv');
  const source = { path, name: 'pets.csv' };
  write(path, lines(count));
  const { digest } = await checkFile(source);
  return { path, source, digest };
}

test('yields the wanted rows with their lines', async () => {
  const { source, digest } = await setUp(600);
  const rows = await collect(readVerifiedRows(source, digest, (row) => row % 250 === 0));
  expect(rows.map(({ row, line }) => [row, line])).toEqual([
    [250, 251],
    [500, 501],
  ]);
});

test.each([
  ['a row has changed', (text: string[]) => text.with(300, 'x,7'), 301],
  ['a row has become invalid', (text: string[]) => text.with(300, 'x'), 301],
  ['a row was removed', (text: string[]) => text.toSpliced(300, 1), 301],
  ['a row was added', (text: string[]) => [...text, 'x,7'], 602],
  ['the last rows were removed', (text: string[]) => text.slice(0, 513), 513],
])('yields no row of the block in which %s', async (_, change, line) => {
  const { path, source, digest } = await setUp(600);
  write(path, change(lines(600)));
  const rows: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const { row } of readVerifiedRows(source, digest, () => true)) rows.push(row);
  };
  await expect(reading()).rejects.toMatchObject({ reason: 'input-changed', line });
  expect(rows.length % 256).toBe(0);
  expect(rows.length).toBeLessThan(line);
});

test('yields no row that was added after a complete block', async () => {
  const { path, source, digest } = await setUp(256);
  write(path, [...lines(256), 'x,7']);
  await expect(collect(readVerifiedRows(source, digest, () => true))).rejects.toMatchObject({ line: 258 });
});

test('accepts the same rows in another spelling', async () => {
  const { path, digest } = await setUp(3);
  writeFileSync(path, '\uFEFF\r\ncategoryId;name\r\n7;"pet 1"\r\n\r\n7;pet 2\r\n7;pet 3');
  const rows = await collect(readVerifiedRows({ path, name: path }, digest, () => true));
  expect(rows.map(({ line }) => line)).toEqual([3, 5, 6]);
});

test('finds the line of a row, or of the last row', async () => {
  const { source } = await setUp(5);
  expect(await findLineOfRow(source, 3)).toBe(4);
  expect(await findLineOfRow(source, 9)).toBe(6);
});

test('reports the line of a change if known', () => {
  expect(inputChanged('pets.csv', 7).message).toContain('Line 7 of pets.csv');
  expect(inputChanged('pets.csv', undefined).message).not.toContain('line');
});
