import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { expect, onTestFinished, test } from 'vitest';
import * as table from '../../../../src/cli/output/table/table.js';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

test('a table comes out the same where the bundle measures cells with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-cell-width-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let standIns = 0;
  await build({
    entry: { table: fromRoot('src/cli/output/table/table.ts') },
    outDir: folder,
    format: ['cjs'],
    outExtension: () => ({ js: '.cjs' }),
    noExternal: [/.*/],
    config: false,
    silent: true,
    esbuildPlugins: [
      {
        name: 'cell-width',
        setup(bundler) {
          bundler.onResolve({ filter: /^string-width$/ }, ({ importer }) => {
            if (!/[\\/]cli-table3[\\/]/.test(importer)) return undefined;
            standIns += 1;
            return { path: fromRoot('src/cli/output/table/cell-width.cts') };
          });
        },
      },
    ],
  });
  const bundled = createRequire(import.meta.url)(join(folder, 'table.cjs')) as typeof table;
  const rows = ['Rex', '猫', '👩‍👩‍👧‍👦', 'e\u0301', 'a long name that is cut'].map((name, id) => ({
    name,
    id,
    status: 'sold',
  }));
  const columns = ['name', 'id', 'status'].map((field) => ({
    field,
    header: field,
    paint: () => 'dim' as const,
  }));
  const options = { header: true, width: 24, colorLevel: 1 } as const;
  expect(standIns).toBe(1);
  expect(await bundled.toTable(rows, columns, options)).toBe(await table.toTable(rows, columns, options));
});
