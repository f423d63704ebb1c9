import { describe, expect, test } from 'vitest';
import { CONCURRENCY } from '../../../../../src/bulk/send/import-run.js';
import { runFake } from '../../../../support/fake-context.js';

describe('flags', () => {
  test('the help has the default concurrency', async () => {
    const { stdout } = await runFake('pets import --help');
    expect(stdout).toMatch(
      new RegExp(`--concurrency <n> +Maximum requests.*\\(default ${String(CONCURRENCY)}\\)`),
    );
  });

  test.each([
    ['', 'Missing required argument "file"'],
    ['a b', 'Too many arguments for "import"'],
    ['a --format xml', '--format: "xml" is not one of csv, json, ndjson'],
    ['a --on-unknown go', '--on-unknown: "go" is not one of stop, skip, retry'],
    ['a --concurrency 0', '--concurrency: "0" is not a whole number from 1 to 64'],
    ['a --concurrency 65', '--concurrency: "65" is not a whole number from 1 to 64'],
    ['- --resume', '--resume with stdin needs a journal'],
    ['a --curl', 'petstore pets import does not support --curl: it sends one request per row'],
  ])('%s: exit code 2, nothing sent', async (flags, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(`pets import ${flags}`);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toMatch(/\nhint: .*\n$/);
  });
});
