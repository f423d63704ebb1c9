import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { runFake, type Scripted } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
  headers: {
    date: 'Fri, 02 Jan 2026 03:04:05 GMT',
    'x-ratelimit-limit': '10000',
    'x-ratelimit-remaining': '9000',
    'x-ratelimit-reset': '1767369600',
  },
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
    now: Date.UTC(2026, 0, 2, 3, 4, 5),
  });
  return stdout.split('\n').slice(0, -1);
}

test('pets list fits terminals of 20 to 200 columns, with whole ids (all widths with PETSTORE_TEST_FULL=1)', async () => {
  // Narrow tables shorten more columns.
  for (let columns = 20; columns <= 200; columns += IS_FULL || columns < 50 ? 1 : 5) {
    const [, ...rows] = await shown('pets list', columns);
    expect(rows).toHaveLength(IDS.length);
    const wrong = rows.filter((row, index) => stringWidth(row) > columns || !row.startsWith(IDS[index]!));
    expect(wrong, String(columns)).toEqual([]);
  }
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
