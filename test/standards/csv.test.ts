// Foreign programs (papaparse, d3-dsv, python3) read what an export writes, and the other way round.
import { spawnSync } from 'node:child_process';
import { csvFormatRows, csvParse } from 'd3-dsv';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { formatPets } from '../../src/bulk/export-pets.js';
import { checkInput } from '../../src/bulk/input/check-input.js';
import { RowReader } from '../../src/bulk/rows/row-reader.js';
import type { RowFormat } from '../../src/bulk/rows/row.js';
import { OPTIONAL_ENTRIES, type Pet } from '../../src/schema/pet-reader.js';
import { collect, pieces } from '../support/pieces.js';
import { runs, SEED } from '../support/random-runs.js';

async function read(text: string) {
  const reader = new RowReader({ path: '', name: 'input', format: 'csv', csvRaw: true, ignoreColumns: true });
  const batches = await collect(reader.read(pieces(text)));
  return {
    pets: batches.flatMap(({ rows }) => rows.map(({ pet }) => pet)),
    errors: batches.flatMap(({ errors }) => errors.map(({ line, message }) => `${String(line)}: ${message}`)),
  };
}

const pets = fc.array(
  fc.record({
    id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    name: fc
      .string({
        unit: fc.oneof(fc.constantFrom(',', '"', '\n', '\r\n', ';', "'", '=', ' '), fc.string()),
        minLength: 1,
      })
      .filter((name) => name !== '' && !/\p{Surrogate}/u.test(name)),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    ...Object.fromEntries(
      OPTIONAL_ENTRIES.map(([field, { values }]) => [
        field,
        values === undefined ? fc.nat() : fc.constantFrom(...values),
      ]),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

const exported = (all: readonly Pet[], format: RowFormat): Promise<string> =>
  formatPets(all, { format, csvRaw: true });

type Texts = Record<string, string>;
const textsOf = (all: readonly Pet[]): Texts[] =>
  all.map((pet) => Object.fromEntries(Object.entries(pet).map(([field, value]) => [field, String(value)])));
const newPetOf = ({ id: _, ...pet }: Pet) => pet;

const pythonVersion = spawnSync('python3', ['--version'], { encoding: 'utf8' });
const hasPython = pythonVersion.status === 0;

const samplesOfPets = (): Pet[][] => fc.sample(pets, { seed: SEED, numRuns: runs(30) });

/** Calls a Python function with each text, all in one process. Strings of Python keep every line break. */
function python(convert: string, texts: readonly string[]): unknown {
  const program = `import sys,io,csv,json\n${convert}\njson.dump([convert(text) for text in json.load(sys.stdin)],sys.stdout)`;
  const input = JSON.stringify(texts);
  const env = { PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' };
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const CSV_TO_JSON = "convert=lambda text: list(csv.DictReader(io.StringIO(text,newline='')))";
const JSON_TO_TEXTS = 'convert=lambda text: [{k:str(v) for k,v in row.items()} for row in json.loads(text)]';
const NDJSON_TO_TEXTS =
  'convert=lambda text: [{k:str(v) for k,v in json.loads(line).items()} for line in text.split("\\n") if line]';
const TO_CSV = `def convert(text):
  rows=json.loads(text)
  out=io.StringIO(newline='')
  w=csv.DictWriter(out,rows[0].keys())
  w.writeheader()
  w.writerows(rows)
  return out.getvalue()`;

describe('what an export writes has the same values for', () => {
  test('papaparse', async () => {
    await fc.assert(
      fc.asyncProperty(pets, async (all) => {
        const text = await exported(all, 'csv');
        const { data } = Papa.parse<Texts>(text, {
          header: true,
          delimiter: ',',
          newline: '\r\n',
          skipEmptyLines: true,
        });
        expect(data.map((row) => ({ ...row }))).toEqual(textsOf(all));
      }),
    );
  });

  test('d3-dsv', async () => {
    await fc.assert(
      fc.asyncProperty(pets, async (all) => {
        expect(csvParse(await exported(all, 'csv')).map((row) => ({ ...row }))).toEqual(textsOf(all));
      }),
    );
  });

  test.skipIf(!hasPython).each([
    ['csv', CSV_TO_JSON],
    ['json', JSON_TO_TEXTS],
    ['ndjson', NDJSON_TO_TEXTS],
  ] as const)('python3: %s (skipped without python3)', async (format, program) => {
    const samples = samplesOfPets();
    const texts = await Promise.all(samples.map((all) => exported(all, format)));
    expect(python(program, texts), `seed ${String(SEED)}`).toEqual(samples.map(textsOf));
  });
});

describe('an import reads the same values from what is written by', () => {
  const writers: [string, (rows: Texts[]) => string][] = [
    ['papaparse', (rows) => Papa.unparse(rows)],
    ['d3-dsv', (rows) => csvFormatRows([Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))])],
  ];
  test.each(writers)('%s', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(pets, async (all) => {
        const found = await read(write(textsOf(all)));
        expect(found).toEqual({ pets: all.map(newPetOf), errors: [] });
      }),
    );
  });

  test.skipIf(!hasPython)('python3 (skipped without python3)', async () => {
    const samples = samplesOfPets();
    const texts = python(
      TO_CSV,
      samples.map((all) => JSON.stringify(textsOf(all))),
    ) as string[];
    for (const [index, text] of texts.entries()) {
      const found = await read(text);
      expect(found, `seed ${String(SEED)}`).toEqual({ pets: samples[index]!.map(newPetOf), errors: [] });
    }
  });
});

const fragments = fc.constantFrom(
  ...['name,categoryId\n', '"', '""', ',', ';', '\n', '\r', '{', '}', '[', ']', ':', '\\', '\\u00', '1e9'],
  ...['0x', '{"name":"a","categoryId":7}', '"name"', 'null', '\uFEFF', '\0', '猫', 'Rex,7\n'],
  ...['PK\u0003\u0004'],
);
const texts = fc.array(fragments).map((parts) => Buffer.from(parts.join('')));
const bytes = fc.oneof(texts, fc.uint8Array({ maxLength: 200 }));
test.each(['csv', 'json', 'ndjson', undefined] as const)(
  'any bytes of %s are rows or errors with a line, never a crash',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 50 }), async (input, length) => {
        const { report } = await checkInput({
          input: { kind: 'stream', bytes: pieces(input, length) },
          format,
        });
        for (const error of report.errors) expect(error.line).toBeGreaterThan(0);
      }),
      { numRuns: runs(500) },
    );
  },
);
