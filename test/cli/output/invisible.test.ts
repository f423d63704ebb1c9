import { describe, expect, test } from 'vitest';
import { ENV, runFake } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Zero-width space, a tag character, a variation selector after a letter, a Hangul filler, an override of the direction.
const HIDDEN = 'a\u200bb\u{e0041}c\ufe0fd\u3164e\u202ef';
const FAMILY = '\u{1f469}\u200d\u{1f467}';
const NAME = `${HIDDEN}${FAMILY}`;
const responses = [{ body: JSON.stringify([{ id: 7, name: NAME, categoryId: 3, status: 'available' }]) }];

describe.each(['json', 'ndjson', 'yaml'])('invisible characters in %s', (format) => {
  const run = async (terminals: readonly 'stdout'[], more = ''): Promise<string> =>
    (await runFake(`pets list -o ${format} ${more}`, { env: ENV, terminals, responses })).stdout;

  test.each(['', '--query [0].name'])('are escaped on a terminal, and the value stays %s', async (more) => {
    const text = await run(['stdout'], more);
    expect(text).toContain('a\\u200bb');
    expect(text).toContain(FAMILY);
    expect(text).not.toMatch(/[\u200b\u202e\ufe0f\u3164\u{e0041}]/u);
    if (format === 'yaml') expect(text).toContain('\\U000e0041');
    else
      expect(text).toContain(JSON.stringify(NAME).replace(/[\u200b\u202e\ufe0f\u3164]|\u{e0041}/gu, escape));
  });

  test('are escaped with PETSTORE_FORCE_TTY, as on a terminal', async () => {
    const env = { ...ENV, PETSTORE_FORCE_TTY: '80' };
    const { stdout } = await runFake(`pets list -o ${format}`, { env, responses });
    expect(stdout).toContain('a\\u200bb');
    expect(stdout).not.toMatch(/[\u200b\u202e\ufe0f\u3164]/);
  });

  test('are unchanged in a pipe', async () => {
    expect(await run([])).toContain(NAME);
  });
});

test.each([
  [['pets', 'import', 'a\u0007.csv'], '  a^G.csv:2:5: category "b^G^I<U+202E>" is not'],
  [['pets', 'import', 'c.csv'], '  c.csv:1: Unknown column "d^G"; known:'],
  [['pets', 'lost\u0007'], 'error: Unknown command "pets lost^G"'],
  [['pets', 'list', '--lost\u0007'], 'error: Unknown option "--lost^G"'],
  [['pets', 'get', '7\u0007'], 'error: ID: "7^G" is not an int64'],
])('a control character in an error has one escape: %j', async (line, text) => {
  const currentDirectory = temporaryFolder({
    'a\u0007.csv': 'name,category\nRex,"b\u0007\t\u202e"\n',
    'c.csv': 'name,category,d\u0007\nRex,7,x\n',
  });
  const { exitCode, stderr } = await runFake(line, { currentDirectory });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(text);
});

/** As JSON escapes it. */
function escape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

test('a name that looks plain but has an invisible letter is quoted in yaml', async () => {
  const body = JSON.stringify([{ id: 7, name: 'Rex\u3164', categoryId: 3, status: 'available' }]);
  const { stdout } = await runFake('pets list -o yaml', { terminals: ['stdout'], responses: [{ body }] });
  expect(stdout).toContain('name: "Rex\\u3164"');
});

test('are escaped in errors and in requests that are not sent', async () => {
  const responses = [{ status: 403, body: JSON.stringify({ code: 'c', message: HIDDEN }) }];
  const failed = await runFake('pets list -o json', { terminals: ['stderr'], responses });
  expect(failed.stderr).not.toMatch(/[\u200b\u202e\u3164]/u);
  const create = ['pets', 'create', '--name', HIDDEN, '--category', '3', '--dry-run', '-o', 'ndjson'];
  const dry = await runFake(create, { terminals: ['stdout'] });
  expect(dry.stdout).toContain('a\\u200bb');
  expect(dry.stdout).not.toMatch(/[\u200b\u202e\u3164]/u);
});

test.each([
  ['json', '"name":"a\\u200bb'],
  ['ndjson', '"name":"a\\u200bb'],
  ['yaml', 'name: "a\\u200bb'],
])('are visible in an export as %s to a terminal', async (format, shown) => {
  const { stdout } = await runFake(`pets export -o ${format}`, { terminals: ['stdout'], responses });
  expect(stdout).toContain(shown);
  expect(stdout).not.toMatch(/[\u200b\u202e\u3164]/u);
});
