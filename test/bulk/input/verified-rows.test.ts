import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile } from '../../../src/bulk/input/check-input.js';
import { inputChanged, findLineOfRow, readVerifiedRows } from '../../../src/bulk/input/verified-rows.js';
import { collect } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
  expect(inputChanged('pets.csv', 7).message).toContain('line 7 differs');
  expect(inputChanged('pets.csv', undefined).message).not.toContain('line');
});
