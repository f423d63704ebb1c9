import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckProgress } from '../../../src/bulk/job/import-job.js';
import { checkFile, checkRows } from '../../../src/bulk/input/check-input.js';
import { pieces } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const INVALID = `name,categoryId\n${'Rex\n'.repeat(150)}Mia,8\n`;

test('counts all errors of a file, and reports the first ones', async () => {
  const folder = temporaryFolder({ 'pets.csv': INVALID });
  const input = { kind: 'file', path: join(folder, 'pets.csv') } as const;
  const report = await checkRows({ input });
  expect(report).toMatchObject({ format: 'csv', delimiter: ',', rows: 151, errorCount: 150 });
  expect(report.errors).toHaveLength(100);
  expect(report.errors[0]).toEqual({ row: 1, line: 2, message: expect.any(String) });
  expect((await checkRows({ input, errorsMax: 3 })).errors).toHaveLength(3);
});

test('checks a stream and reports progress', async () => {
  const reported: CheckProgress[] = [];
  const bytes = pieces('{"name":"Rex","categoryId":7}\n{"name":"Mia","categoryId":8}\n', 40);
  const report = await checkRows({
    input: { kind: 'stream', bytes },
    onChecked: (each) => reported.push(each),
  });
  expect(report).toEqual({ format: 'ndjson', rows: 2, errors: [], errorCount: 0, notes: [] });
  expect(reported.at(-1)).toEqual({ rows: 2, bytes: 60 });
});

test('reports the size of a file', async () => {
  const path = join(temporaryFolder({ 'pets.csv': 'name,categoryId\nRex,7\n' }), 'pets.csv');
  const reported: CheckProgress[] = [];
  const { digest, columns } = await checkFile({ path, name: path, onChecked: (each) => reported.push(each) });
  expect(reported.at(-1)).toEqual({ rows: 1, bytes: 22, bytesTotal: 22 });
  expect([digest.rows, columns]).toEqual([1, ['name', 'categoryId']]);
});

test('rejects with the reason of the signal, even if the stream hangs', async () => {
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<Uint8Array> {
    await new Promise(() => undefined);
  }
  const checking = checkRows({ input: { kind: 'stream', bytes: silent() }, signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(checking).rejects.toBe(reason);
});
