import { describe, expect, test } from 'vitest';
import { InputDigest } from '../../../src/bulk/input/input-digest.js';
import { Journal } from '../../../src/bulk/journal/journal.js';
import { RowStates } from '../../../src/bulk/journal/row-states.js';
import { findListedPets, reportUnknown } from '../../../src/bulk/send/find-listed-pets.js';
import type { Row, RowPet } from '../../../src/bulk/rows/row.js';
import type { Pet } from '../../../src/schema/pet-reader.js';
import { createLedgerService } from '../../support/ledger-service.js';
import { createMemoryDisk } from '../../support/memory-journal.js';

async function* rowsOf(pets: readonly RowPet[]): AsyncGenerator<Row> {
  for (const [index, pet] of pets.entries()) yield { row: index + 1, line: index + 2, pet };
}

/** Matches rows with listed pets, some of which a row of the journal created. */
async function match(
  rows: readonly RowPet[],
  pets: readonly Pet[],
  { createdIds = [] as bigint[], listMax = Infinity } = {},
) {
  const { journal } = await Journal.load(await createMemoryDisk().open(), 'j');
  const digest = new InputDigest();
  for (const { name, categoryId } of pets) digest.add({ name, categoryId });
  await journal.start('s', digest.end());
  for (const id of createdIds) journal.createdIds.set(id, 99);
  const { store } = createLedgerService({ pets, listMax });
  return findListedPets(store, journal, rowsOf(rows), undefined);
}

const REASON = 'the import ended before the response';
const REX: RowPet = { name: 'Rex', categoryId: 7n, status: 'sold' };
const rex = (id: bigint, more: Partial<Pet> = {}): Pet => ({ id, ...REX, ...more });
const idsOf = ({ report }: Awaited<ReturnType<typeof findListedPets>>) =>
  report.rows.map(({ listed }) => listed);

describe('a row of unknown outcome', () => {
  test('is matched by name, category and status', async () => {
    const others = [rex(1n, { name: 'Rexy' }), rex(2n, { categoryId: 8n }), rex(3n, { status: 'pending' })];
    const found = await match([REX], [...others, rex(4n)]);
    const row = { row: 1, line: 2, pet: REX, reason: REASON, listed: [4n], similar: [3n] };
    expect(found.report).toEqual({ rows: [row], coverage: 'all' });
    expect(idsOf(await match([REX], others))).toEqual([[]]);
  });

  test.each([
    ['its status has changed', { status: 'pending' }],
    ['blanks around the name', { name: ' Rex\t' }],
    ['another case', { name: 'REX' }],
    ['another Unicode form', { name: 'Ｒｅｘ' }],
  ])('resembles a listed pet: %s', async (_, change) => {
    const found = await match([REX, { ...REX, name: 'Mia' }], [rex(4n, change)]);
    expect(found.report.rows.map(({ listed, similar }) => [listed, similar])).toEqual([
      [[], [4n]],
      [[], []],
    ]);
    expect([...found.matches.similar.keys()]).toEqual([1]);
    expect(found.exact.size).toBe(0);
  });

  test('is matched with any status if it has none', async () => {
    const { status: _, ...bare } = REX;
    expect(idsOf(await match([bare], [rex(3n, { status: 'pending' })]))).toEqual([[3n]]);
    expect(idsOf(await match([bare], [{ id: 5n, ...bare }]))).toEqual([[5n]]);
  });

  test('is not matched with a pet that another row created', async () => {
    expect(idsOf(await match([REX], [rex(4n), rex(5n)], { createdIds: [4n] }))).toEqual([[5n]]);
  });

  test('shares no pet with another row; the last one gets the remaining pets', async () => {
    const found = await match([REX, REX, REX], [rex(4n), rex(5n)]);
    expect(idsOf(found)).toEqual([[4n], [5n], []]);
    expect([...found.matches.listed.keys()]).toEqual([1, 2]);
    expect(idsOf(await match([REX], [rex(4n), rex(5n), rex(6n)]))).toEqual([[4n, 5n, 6n]]);
  });
});

describe('it is certain which pet belongs to a row', () => {
  const { status: _, ...bare } = REX;
  const sold = rex(4n);
  const pending = rex(5n, { status: 'pending' });
  test.each([
    ['one row, one pet', [REX], [sold], [[1, 4n]]],
    [
      'two equal rows, two pets',
      [REX, REX],
      [sold, rex(6n)],
      [
        [1, 4n],
        [2, 6n],
      ],
    ],
    ['one row, two pets', [REX], [sold, rex(6n)], []],
    ['two equal rows, one pet', [REX, REX], [sold], []],
    ['two equal rows, three pets', [REX, REX], [sold, rex(6n), rex(7n)], []],
    ['another status is listed too', [REX], [sold, pending], []],
    ['a row without a status, two pets', [bare], [sold, pending], []],
    ['a row without a status takes the pet of another row', [bare, REX], [sold, pending], []],
    ['no pet', [REX], [pending], []],
    [
      'each name by itself',
      [REX, { ...REX, name: 'Mia' }],
      [rex(8n, { name: 'Mia' }), sold, rex(9n)],
      [[2, 8n]],
    ],
  ] as const)('%s', async (_, rows, pets, expected) => {
    expect([...(await match(rows, pets)).exact]).toEqual(expected);
  });
});

test('reports an incomplete list, and at most 100 rows', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ ...REX, name: `pet ${String(index)}` }));
  const found = await match(rows, [rex(1n), rex(2n, { name: 'pet 149' })], { listMax: 1 });
  expect(found.report.coverage).toBe('part');
  expect(found.report.rows).toHaveLength(100);
  expect((await match(rows, [rex(2n, { name: 'pet 149' })])).matches.listed).toEqual(new Map([[150, [2n]]]));
});

test('reports the rows without a list', async () => {
  const report = await reportUnknown(rowsOf([REX]), { states: new RowStates(1) });
  expect(report).toEqual({
    rows: [{ row: 1, line: 2, pet: REX, reason: REASON, listed: [], similar: [] }],
    coverage: 'failed',
  });
});
