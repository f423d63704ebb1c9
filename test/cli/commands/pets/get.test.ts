import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PET = '{"id":7,"name":"Rex","categoryId":3,"status":"sold"}';

describe('flags', () => {
  test.each([
    [['0x10'], 'ID: "0x10" is not an int64'],
    [['9223372036854775808'], 'ID: "9223372036854775808" is not an int64'],
    [[''], 'ID: "" is not an int64'],
    [['-9223372036854775809'], 'ID: "-9223372036854775809" is not an int64'],
    ...['1.0', '+1', '-01', '1e3'].map((id): [string[], string] => [[id], `ID: "${id}" is not an int64`]),
    [['007'], 'ID: "007" is not an int64'],
    [['7', '--via', 'lsit'], '--via: "lsit" is not one of auto, get, list'],
    [[], 'Missing required argument "id"'],
  ])('pets get %j: exit code 2, nothing sent', async (words, message) => {
    const { exitCode, stdout, stderr, requests } = await runFake(['pets', 'get', ...words]);
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(`error: ${message}\n`);
  });
});

describe('--via', () => {
  test.each([
    ['pets get 7', '/v1/pets/7', PET],
    ['pets get 7 --via get', '/v1/pets/7', PET],
    ['pets get 7 --via list', '/v1/pets?limit=100', `[${PET}]`],
  ])('%s requests %s', async (line, path, body) => {
    const { exitCode, stdout, requests } = await runFake(line, { responses: [{ body }] });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '7\tRex\t3\tsold\n' });
    expect(requests.map((request) => request.path)).toEqual([path]);
  });

  test.each(['pets get -5', 'pets get -- -5'])(
    '%s: a negative id is no flag; another pet is rejected',
    async (line) => {
      const { exitCode, stdout, stderr, requests } = await runFake(line, { responses: [{ body: PET }] });
      expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
      expect(stderr).toContain('error: Invalid response: the pet has id 7 instead of -5 (200, ');
      expect(requests.map((request) => request.path)).toEqual(['/v1/pets/-5']);
    },
  );

  test.each(['auto', 'get'])('--via %s warns once of the removal, but not with -q', async (via) => {
    const world = { responses: [{ body: PET }] };
    const { stderr } = await runFake(`pets get 7 --via ${via}`, world);
    expect(stderr).toMatch(
      /^warning: GET \/pets\/\{petId\} is deprecated, .*5 December 2030. Use --via list instead.\n$/,
    );
    expect((await runFake(`pets get 7 --via ${via} -q`, world)).stderr).toBe('');
  });

  test.each(['auto', 'get'])('--via %s warns once a day, and not as an annotation', async (via) => {
    const folder = temporaryFolder({});
    const start = Date.UTC(2026, 0, 2, 3, 4, 5);
    const warns = async (now: number, content?: string): Promise<boolean> => {
      if (content !== undefined) writeFileSync(join(folder, 'deprecation-notice'), content);
      const env = { ...ENV, PETSTORE_STATE_DIR: folder, PETSTORE_ANNOTATIONS: 'github' };
      const { exitCode, stderr } = await runFake(`pets get 7 --via ${via}`, {
        responses: [{ body: PET }],
        env,
        now,
      });
      expect(exitCode).toBe(0);
      expect(stderr).not.toContain('::');
      return stderr.includes('is deprecated');
    };
    expect(await warns(start)).toBe(true);
    expect(await warns(start + 86_399_999)).toBe(false);
    expect(await warns(start + 86_400_000)).toBe(true);
    // After the clock was set back, or with a damaged file.
    expect(await warns(start)).toBe(true);
    expect(await warns(start, 'garbage')).toBe(true);
    expect(await warns(start, 'x'.repeat(1_000_000))).toBe(true);
    expect(await warns(start)).toBe(false);
  });

  test.each(['auto', 'get', 'list'])('--via %s warns of an unknown status', async (via) => {
    const body = PET.replace('sold', 'adopted');
    const responses = [{ body: via === 'list' ? `[${body}]` : body }];
    const { exitCode, stderr } = await runFake(`pets get 7 --via ${via}`, { responses });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning: The service returned the unknown pet status "adopted".\n');
  });

  test('--via auto searches the lists if the service has removed the route', async () => {
    const responses = [{ status: 410 }, { body: `[${PET}]` }];
    const { exitCode, stdout, requests } = await runFake('pets get 7', { responses });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '7\tRex\t3\tsold\n' });
    expect(requests.map((request) => request.path)).toEqual(['/v1/pets/7', '/v1/pets?limit=100']);
  });

  test('--via get does not search the lists', async () => {
    const { exitCode, requests } = await runFake('pets get 7 --via get', { responses: [{ status: 410 }] });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 5, sent: 1 });
  });
});

describe('a missing pet', () => {
  test('in the lists: not found among the pets that can be listed, exit code 4', async () => {
    const { exitCode, stderr } = await runFake('pets get 7 --via list --json', {
      responses: [{ body: '[]' }],
    });
    expect(exitCode).toBe(4);
    expect(JSON.parse(stderr).error).toMatchObject({
      type: 'not-found',
      message: 'Pet 7 was not found among the pets that can be listed',
      exitCode: 4,
    });
  });

  test.each(['get', 'auto', 'list'])('--via %s names the wrong field of a response', async (via) => {
    const body = '{"id":7,"name":"Rex"}';
    const { exitCode, stderr } = await runFake(`pets get 7 --via ${via} -q`, {
      responses: [{ body: via === 'list' ? `[${body}]` : body }],
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 7,
      stderr: expect.stringMatching(/^error: Invalid response: .*categoryId.*\nhint: /),
    });
  });
});
