import { describe, expect, test } from 'vitest';
import { InputDigest } from '../../../src/bulk/input/input-digest.js';
import { Journal } from '../../../src/bulk/journal/journal.js';
import { lookUp, withoutLookUp } from '../../../src/bulk/send/look-up.js';
import type { Row, RowPet } from '../../../src/bulk/rows/row.js';
import type { Pet } from '../../../src/schema/pet-reader.js';
import { createLedgerService } from '../../support/ledger-service.js';
import { createMemoryDisk } from '../../support/memory-journal.js';

async function* rowsOf(pets: readonly RowPet[]): AsyncGenerator<Row> {
  for (const [index, pet] of pets.entries()) yield { row: index + 1, line: index + 2, pet };
}

/** Looks up these rows among these animals, of which a row of the journal has made some. */
async function look(
  rows: readonly RowPet[],
  pets: readonly Pet[],
  { made = [] as bigint[], listMax = Infinity } = {},
) {
  const { journal } = await Journal.load(await createMemoryDisk().open(), 'j');
  await journal.begin('s', new InputDigest());
  await journal.write(made.map((id, index) => ({ kind: 'created', row: index + 1, id })));
  const { store } = createLedgerService({ pets, listMax });
  return lookUp(store, journal, rowsOf(rows), undefined);
}

const REX: RowPet = { name: 'Rex', categoryId: 7n, status: 'sold' };
const rex = (id: bigint, more: Partial<Pet> = {}): Pet => ({ id, ...REX, ...more });
const idsOf = ({ report }: Awaited<ReturnType<typeof lookUp>>) => report.rows.map(({ listed }) => listed);

describe('a row of unknown outcome', () => {
  test('is found by name, category and status', async () => {
    const others = [rex(1n, { name: 'Rexy' }), rex(2n, { categoryId: 8n }), rex(3n, { status: 'pending' })];
    const found = await look([REX], [...others, rex(4n)]);
    expect(found.report).toEqual({ rows: [{ row: 1, line: 2, pet: REX, listed: [4n] }], seen: 'all' });
    expect(idsOf(await look([REX], others))).toEqual([[]]);
  });

  test('is found in any status where it gives none', async () => {
    const { status: _, ...bare } = REX;
    expect(idsOf(await look([bare], [rex(3n, { status: 'pending' })]))).toEqual([[3n]]);
    expect(idsOf(await look([bare], [{ id: 5n, ...bare }]))).toEqual([[5n]]);
  });

  test('is not one that another row is known to have made', async () => {
    expect(idsOf(await look([REX], [rex(4n), rex(5n)], { made: [4n] }))).toEqual([[5n]]);
  });

  test('shares no animal with another, and is told of all that are left over', async () => {
    const found = await look([REX, REX, REX], [rex(4n), rex(5n)]);
    expect(idsOf(found)).toEqual([[4n], [5n], []]);
    expect([...found.listed.keys()]).toEqual([1, 2]);
    expect(idsOf(await look([REX], [rex(4n), rex(5n), rex(6n)]))).toEqual([[4n, 5n, 6n]]);
  });
});

test('says when not all can be seen, and names no more rows than a person reads', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ ...REX, name: `pet ${String(index)}` }));
  const found = await look(rows, [rex(1n), rex(2n, { name: 'pet 149' })], { listMax: 1 });
  expect(found.report.seen).toBe('part');
  expect(found.report.rows).toHaveLength(100);
  expect((await look(rows, [rex(2n, { name: 'pet 149' })])).listed).toEqual(new Map([[150, [2n]]]));
});

test('names the rows also where nothing can be looked up', async () => {
  const report = await withoutLookUp(rowsOf([REX]));
  expect(report).toEqual({ rows: [{ row: 1, line: 2, pet: REX, listed: [] }], seen: 'failed' });
});
