import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../../src/cli/program/argv.js';

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
    ['api --json get /pets', 'api --json= get /pets'],
    ['api --json pets', 'api --json= pets'],
    ['pets list --json id,', 'pets list --json=id,'],
    ['mock --json serve', 'mock --json= serve'],
    ['--profile pets --json pets list', '--profile pets --json= pets list'],
    ['--json pest list', '--json= pest list'],
    ['api -- --json id', 'api -- --json id'],
  ])('%s -> %s', async (line, settled) => {
    expect((await readCommandLine(line.split(' '))).argv.join(' ')).toBe(settled);
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
  ])('the words of %j', async (line, path) => {
    expect((await readCommandLine(line.split(' ').filter((word) => word !== ''))).path).toEqual(path);
  });

  test('an empty list of fields has no field', async () => {
    expect((await readCommandLine(['pets', 'list', '--json', ''])).argv).toEqual([
      'pets',
      'list',
      '--json=,',
    ]);
  });

  test('keeps an empty argument', async () => {
    expect((await readCommandLine(['pets', 'get', ''])).argv).toEqual(['pets', 'get', '']);
  });
});
