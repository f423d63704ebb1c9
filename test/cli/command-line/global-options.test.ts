import { describe, expect, test } from 'vitest';
import { GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { runFake } from '../../support/fake-context.js';
import { parseLine } from '../../support/parse-line.js';

const DEFAULTS = {
  staging: false,
  mock: false,
  header: true,
  csvRaw: false,
  input: true,
  yes: false,
  retry: true,
  dryRun: false,
  curl: false,
  quiet: false,
  verbose: false,
};

describe('global flags', () => {
  test('are absent by default', async () => {
    expect((await parseLine('pets list')).global).toEqual(DEFAULTS);
  });

  test('all can be combined', async () => {
    const line =
      '--profile p --base-url https://x.test -o csv --fields id,name --query a --sort -id --no-header --csv-raw --color never ' +
      '--no-input -y --timeout 2s --no-retry --dry-run --curl -q -v pets list';
    expect((await parseLine(line)).global).toEqual({
      profile: 'p',
      baseUrl: 'https://x.test',
      staging: false,
      mock: false,
      format: 'csv',
      fields: ['id', 'name'],
      query: 'a',
      sort: '-id',
      header: false,
      csvRaw: true,
      color: 'never',
      input: false,
      yes: true,
      timeoutMs: 2_000,
      retry: false,
      dryRun: true,
      curl: true,
      quiet: true,
      verbose: true,
    });
  });

  test.each(['-q pets list', 'pets -q list', 'pets list -q'])(
    'are accepted anywhere on the line: %s',
    async (line) => {
      expect((await parseLine(line)).global.quiet).toBe(true);
    },
  );

  test.each([
    ['pets list --json', { format: 'json' }],
    ['pets list --json id,name', { format: 'json', fields: ['id', 'name'], fieldsFlag: '--json' }],
    ['pets list --json -o json', { format: 'json' }],
    ['pets list --json --fields id', { format: 'json', fields: ['id'] }],
    ["pets list --fields 'name , id ,,id'", { fields: ['name', 'id'] }],
    ['pets list --max-wait 0', { waitMaxMs: 0 }],
    ['pets list --max-wait 5m', { waitMaxMs: 300_000 }],
  ])('%s', async (line, expected) => {
    expect((await parseLine(line)).global).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each([
    ['pets list -o jsn', /--output: "jsn"/, 'Did you mean "json"?'],
    ['pets list --json -o csv', /contradict/, 'Pass only one of them.'],
    ['pets list --json id --fields name', /--json and --fields both/, 'List the fields once.'],
    ['pets list --fields ,', /No fields in --fields/, undefined],
    ['pets list --json=,', /No fields in --json/, 'List some, such as --json id,name.'],
    ['pets list --color red', /--color: "red"/, undefined],
    ['pets list --timeout 0', /--timeout must be more than 0/, undefined],
    ['pets list --timeout soon', /--timeout: "soon"/, undefined],
    ['pets list --color a\u001b\u202e', /--color: "a\^\[<U\+202E>"/, undefined],
    [`pets list --color ${'x'.repeat(100)}`, /--color: "x{60}…"/, undefined],
    ['pets list --max-wait -5', /--max-wait: "-5"/, undefined],
    [
      'pets list --mock --base-url https://x.test',
      /--base-url and --mock select different services/,
      'Pass only one of them.',
    ],
    ['pets list --mock --staging', /--staging and --mock/, undefined],
    ['pets list --no-retry --max-wait 5m', /--no-retry and --max-wait contradict/, 'Pass only one of them.'],
    ['pets list --sort -', /--sort has no field/, undefined],
    ['pets list --mock --curl', /--curl does not work with --mock/, undefined],
  ])('rejects %s', async (line, message, hint) => {
    await expect(parseLine(line)).rejects.toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringMatching(message),
        ...(hint === undefined ? {} : { hint }),
      }),
    );
  });

  test('have short summaries', () => {
    expect(GLOBAL_FLAGS.filter(({ summary }) => summary.length < 10 || summary.length > 65)).toEqual([]);
  });

  test.each(GLOBAL_FLAGS.filter(({ flags }) => flags.includes('<')).map(({ flags }) => flags))(
    'rejects %s without its value',
    async (flags) => {
      expect(await runFake(`pets list ${/--[\w-]+/.exec(flags)![0]}`)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('needs a value'),
      });
    },
  );
});
