import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, describe, expect, test } from 'vitest';
import { ENV, runFake, type Scripted } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL, runs } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { rateLimitHeaders } from '../support/rate-limit-headers.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const NAMES = [
  '猫の名前はとても長い',
  '👩‍👩‍👧‍👦 family',
  '🇳🇱',
  'e\u0301',
  '❤️',
  'ZW\u200bSP',
  'a\tb',
  'a\nb',
  'a long name of plain letters',
];
const IDS = NAMES.map((_, index) => String(9_223_372_036_854_775_000n + BigInt(index)));
const pets: Scripted = {
  headers: rateLimitHeaders({ now: NOW, limit: 10_000, remaining: 9_000, resetInSeconds: 46_555 }),
  body: `[${NAMES.map((name, index) => `{"id":${IDS[index]!},"name":${JSON.stringify(name)},"categoryId":${IDS[index]!},"status":"available"}`).join()}]`,
};

async function shown(line: string, columns: number): Promise<string[]> {
  const profiles = {
    shop: { baseUrl: 'https://a-shop.pets.test/v1', stagingUrl: 'https://b.pets.test/v1' },
    猫の店: {},
  };
  const currentDirectory = temporaryFolder({ 'config/config.json': { profile: 'shop', profiles } });
  const { stdout } = await runFake(shellWords(line), {
    responses: [pets],
    columns,
    currentDirectory,
    terminals: ['stdout'],
    env: { NO_COLOR: '1', PETSTORE_API_KEY: 'sk-secret', PETSTORE_CONFIG_DIR: `${currentDirectory}/config` },
    now: NOW,
  });
  return stdout.split('\n').slice(0, -1);
}

test('pets list fits terminals of 20 to 200 columns, with whole ids (all widths with PETSTORE_TEST_FULL=1)', async () => {
  // Narrow tables shorten more columns.
  for (let columns = 20; columns <= 200; columns += IS_FULL ? 1 : columns < 50 ? 3 : 15) {
    const [, ...rows] = await shown('pets list', columns);
    expect(rows).toHaveLength(IDS.length);
    const wrong = rows.filter((row, index) => stringWidth(row) > columns || !row.startsWith(IDS[index]!));
    expect(wrong, String(columns)).toEqual([]);
  }
});

describe('the columns of pets list start at the same place in every row', () => {
  // The line editor of Node.js counts columns with the tables of ICU. The command counts with string-width.
  const EDITOR_COLUMNS = 1_000;
  const output = Object.assign(new PassThrough(), { columns: EDITOR_COLUMNS });
  const editor = createInterface({ input: new PassThrough(), output, terminal: true, prompt: '' });
  afterAll(() => {
    editor.close();
  });
  const columnsOf = (text: string): number =>
    Object.assign(editor, { line: text, cursor: text.length }).getCursorPos().cols;

  /** Characters whose width does not depend on the terminal: no sequences of emoji and no conjuncts. */
  const character = fc.oneof(
    ...[
      [0x20, 0x7e],
      [0xc0, 0x24f],
      [0x391, 0x3a1],
      [0x410, 0x44f],
      [0x5d0, 0x5ea],
      [0xe01, 0xe2e],
      [0x3041, 0x3096],
      [0x4e00, 0x9fff],
      [0xac00, 0xd7a3],
      [0xff01, 0xff5e],
      [0xff66, 0xff9d],
      [0x1f600, 0x1f64f],
      [0x20000, 0x2a6d6],
    ].map(([min, max]) => fc.integer({ min: min!, max: max! }).map((code) => String.fromCodePoint(code))),
    fc.constantFrom('e\u0301', 'n\u0303\u0323'),
  );
  const names = fc.array(fc.string({ unit: character, minLength: 1, maxLength: 40 }), {
    minLength: 2,
    maxLength: 8,
  });

  test('as the tables of ICU count', { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(names, fc.integer({ min: 45, max: 120 }), async (list, columns) => {
      const pets = list.map((name, id) => ({ id, name, categoryId: 88_888_888, status: 'sold' }));
      const response = { body: JSON.stringify(pets) };
      const { stdout } = await runFake('pets list', {
        responses: [response],
        columns,
        terminals: ['stdout'],
        env: { ...ENV, NO_COLOR: '1' },
      });
      const [, ...rows] = stdout.trimEnd().split('\n');
      const places = rows.map((row) => columnsOf(row.slice(0, row.lastIndexOf('88888888'))));
      expect(rows).toHaveLength(list.length);
      expect(new Set(places).size, stdout).toBe(1);
      expect(Math.max(...rows.map(columnsOf)), stdout).toBeLessThanOrEqual(columns);
    });
    await fc.assert(property, { numRuns: runs(15) });
  });
});

describe.each([
  'auth list',
  'config list',
  'config list --show-origin',
  'commands',
  'limits',
  'domain records missing.example.test --mock',
  'domain verify missing.example.test shop.example.test --mock --no-certificate',
  'domain verify missing.example.test --mock',
])('petstore %s', (line) => {
  test.each([60, 80, 100, 137, 200])('fits %d columns', async (columns) => {
    const lines = await shown(line, columns);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((text) => stringWidth(text) > columns)).toEqual([]);
  });
});
