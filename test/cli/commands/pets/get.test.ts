import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PET = '{"id":7,"name":"Rex","categoryId":3,"status":"sold"}';

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

  test.each(['auto', 'get'])('--via %s rejects a response with another id', async (via) => {
    const { exitCode, stdout, stderr } = await runFake(`pets get 8 --via ${via}`, {
      responses: [{ body: PET }],
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
    expect(stderr).toMatch(/the pet (?:has id 7 instead of 8|does not have id 8)/);
  });

  test.each(['auto', 'get'])('--via %s warns once a day, and not as an annotation', async (via) => {
    const folder = temporaryFolder({});
    const start = Date.UTC(2026, 0, 2, 3, 4, 5);
    const warns = async (now: number, content?: string): Promise<boolean> => {
      if (content !== undefined) writeFileSync(join(folder, 'deprecation-notice'), content);
      const env = { ...ENV, PETSTORE_STATE_DIR: folder, PETSTORE_ANNOTATIONS: 'github' };
      const world = { responses: [{ body: PET }], env, now };
      const { exitCode, stderr } = await runFake(`pets get 7 --via ${via}`, world);
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
});
