import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportPets, importPets } from '../src/bulk/index.js';
import { createPetStore } from '../src/client/internal.js';
import { createMock } from '../src/mock/index.js';
import { OPEN_API } from '../src/mock/service/openapi.js';
import { newPetSchema, petSchema } from '../src/schema/pet.js';
import { OPTIONAL_FIELDS } from '../src/schema/pet-reader.js';
import { ENV, runFake } from './support/fake-context.js';
import { temporaryFolder } from './support/temporary-folder.js';

const { required, properties } = OPEN_API.components.schemas.NewPet;

/** The optional fields of a pet with an example, from the description of the mock. */
const FIELDS = Object.entries(properties)
  .filter(([field]) => !required.includes(field))
  .map(([field, { $ref, examples }]): [string, unknown] => [
    field,
    $ref === undefined ? examples?.[0] : 'sold',
  ]);

test('mock and client have the same optional fields', () => {
  expect(FIELDS.map(([field]) => field)).toEqual(Object.keys(OPTIONAL_FIELDS));
});

describe.each(FIELDS)('%s', (field, example) => {
  const pet = { name: 'Rex', categoryId: 7n, [field]: example };

  test('is in the schemas, which reject another type', () => {
    expect(newPetSchema.parse(pet)).toEqual(pet);
    expect(petSchema.parse({ ...pet, id: 1 })).toEqual({ ...pet, id: 1n });
    expect(newPetSchema.safeParse({ ...pet, [field]: {} }).success).toBe(false);
    expect(petSchema.safeParse({ ...pet, id: 1, [field]: {} }).success).toBe(false);
  });

  test('has a flag, and is printed', async () => {
    const flag = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const { stdout, requests } = await runFake(
      [
        'pets',
        'create',
        '--name',
        'Rex',
        '--category',
        '7',
        flag,
        String(example),
        '-o',
        'csv',
        '--fields',
        `id,${field}`,
      ],
      { env: ENV, responses: [{ status: 201, body: JSON.stringify({ id: 1, ...pet, categoryId: 7 }) }] },
    );
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ ...pet, categoryId: 7 });
    expect(stdout).toBe(`id,${field}\r\n1,${String(example)}\r\n`);
  });

  test('is imported into the mock, and exported', async () => {
    const mock = createMock({ pets: 0 });
    const store = createPetStore({
      apiKey: 'mock-key',
      baseUrl: 'https://mock.test/v1',
      fetch: mock.fetch,
      clock: mock.clock,
    });
    const folder = temporaryFolder({ 'pets.csv': `name,category,${field}\nRex,7,${String(example)}\n` });
    const journal = join(folder, 'journal');
    expect(await importPets(store, join(folder, 'pets.csv'), { journal })).toMatchObject({ created: 1 });
    expect(mock.forKey('mock-key').pets.list()).toEqual([{ id: 1n, ...pet }]);
    await exportPets(store, join(folder, 'all.csv'));
    expect(readFileSync(join(folder, 'all.csv'), 'utf8')).toContain(String(example));
  });
});
