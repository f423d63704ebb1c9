import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFake } from '../support/fake-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test.each(['auth logout', 'auth switch staging'])(
  '%s refuses the flags that would show a request, and changes nothing',
  async (line) => {
    const folder = temporaryFolder({
      'config.json': { profile: 'shop', profiles: { shop: { keyIn: 'file' }, staging: {} } },
    });
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys/shop.key'), 'sk-secret\n');
    const before = readFileSync(join(folder, 'config.json'), 'utf8');
    const command = line.split(' ').slice(0, 2).join(' ');
    for (const flag of ['--dry-run', '--curl']) {
      const outcome = await runFake(`${line} ${flag}`, { env: { PETSTORE_CONFIG_DIR: folder } });
      expect(outcome).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `error: with ${command} there is no request to show\nhint: leave out ${flag}\n`,
      });
    }
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(before);
    expect(readFileSync(join(folder, 'keys/shop.key'), 'utf8')).toBe('sk-secret\n');
  },
);
