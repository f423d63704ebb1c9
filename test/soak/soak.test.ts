import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SECONDS = 60;

test.skipIf(process.env.PETSTORE_TEST_SOAK !== '1')(
  `a soak of ${String(SECONDS)} s has no problem (skipped without PETSTORE_TEST_SOAK=1; .ci/run sets it; npm run soak takes 10 minutes)`,
  async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'soak.mjs'), String(SECONDS)], {
      env: { PATH: process.env.PATH },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    await once(child, 'close');
    expect(output).toContain('soak: ok');
  },
  600_000,
);
