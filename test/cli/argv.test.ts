import { describe, expect, test } from 'vitest';
import { asksForJson, readCommandLine } from '../../src/cli/argv.js';

describe('readCommandLine', () => {
  test.each([
    ['pets list --json', 'pets list --json='],
    ['pets list --json id', 'pets list --json=id'],
    ['pets list --json id,name', 'pets list --json=id,name'],
    ['pets list --json=id,name', 'pets list --json=id,name'],
    ['pets list --json --limit 3', 'pets list --json= --limit 3'],
    ['--json pets list', '--json= pets list'],
    ['pets --json list', 'pets --json= list'],
    ['--json id pets list', '--json=id pets list'],
    ['--json id,name pets list', '--json=id,name pets list'],
    ['--json limits', '--json= limits'],
    ['pets get --json 5', 'pets get --json= 5'],
    ['pets get --json name 5', 'pets get --json=name 5'],
    ['api --json GET /pets', 'api --json= GET /pets'],
    ['api --json id,name /pets', 'api --json=id,name /pets'],
    ['mock --json serve', 'mock --json= serve'],
    ['--profile pets --json pets list', '--profile pets --json= pets list'],
    ['--json pest list', '--json= pest list'],
    ['api -- --json id', 'api -- --json id'],
  ])('%s -> %s', (line, settled) => {
    expect(readCommandLine(line.split(' ')).argv.join(' ')).toBe(settled);
  });

  test.each([
    ['', []],
    ['pets', ['pets']],
    ['pets list extra', ['pets', 'list']],
    ['--base-url https://x pets -q list', ['pets', 'list']],
    ['-o json limits', ['limits']],
    ['--output=json limits', ['limits']],
    ['limits pets', ['limits']],
    ['constructor', ['constructor']],
    ['-- pets', []],
  ])('the words of %j', (line, path) => {
    expect(readCommandLine(line.split(' ').filter((word) => word !== '')).path).toEqual(path);
  });

  test('keeps an argument that is empty', () => {
    expect(readCommandLine(['pets', 'get', '']).argv).toEqual(['pets', 'get', '']);
  });
});

describe('asksForJson', () => {
  test.each([
    ['pets --bogus --json', undefined, true],
    ['pets --json=id', undefined, true],
    ['pets -o json', undefined, true],
    ['pets -ojson', undefined, true],
    ['pets --output=ndjson', undefined, true],
    ['pets --output yaml', undefined, false],
    ['pets', 'json', true],
    ['pets -o table', 'json', false],
    ['pets -- --json', undefined, false],
    ['pets', undefined, false],
  ])('%s with PETSTORE_OUTPUT %s: %s', (line, variable, expected) => {
    expect(asksForJson(line.split(' '), variable)).toBe(expected);
  });
});
