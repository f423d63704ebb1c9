import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, checkRows } from '../../../src/bulk/input/check-input.js';
import type { CheckProgress } from '../../../src/bulk/import-job.js';
import { pieces } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const FAULTY = `name,categoryId\n${'Rex\n'.repeat(150)}Mia,8\n`;

test('reports all faults of a file by number, and the first by place', async () => {
  const folder = temporaryFolder({ 'pets.csv': FAULTY });
  const input = { kind: 'file', path: join(folder, 'pets.csv') } as const;
  const report = await checkRows({ input });
  expect(report).toMatchObject({ format: 'csv', delimiter: ',', rows: 151, faultCount: 150 });
  expect(report.faults).toHaveLength(100);
  expect(report.faults[0]).toEqual({ row: 1, line: 2, message: expect.any(String) });
  expect((await checkRows({ input, faultsMax: 3 })).faults).toHaveLength(3);
});

test('checks a stream as well, and tells how far it has come', async () => {
  const told: CheckProgress[] = [];
  const bytes = pieces('{"name":"Rex","categoryId":7}\n{"name":"Mia","categoryId":8}\n', 40);
  const report = await checkRows({ input: { kind: 'stream', bytes }, onChecked: (each) => told.push(each) });
  expect(report).toEqual({ format: 'ndjson', rows: 2, faults: [], faultCount: 0 });
  expect(told.at(-1)).toEqual({ rows: 2, bytes: 60 });
});

test('knows the size of a file beforehand', async () => {
  const path = join(temporaryFolder({ 'pets.csv': 'name,categoryId\nRex,7\n' }), 'pets.csv');
  const told: CheckProgress[] = [];
  const { digest, columns } = await checkFile({ path, name: path, onChecked: (each) => told.push(each) });
  expect(told.at(-1)).toEqual({ rows: 1, bytes: 22, bytesTotal: 22 });
  expect([digest.rows, columns]).toEqual([1, ['name', 'categoryId']]);
});

test('ends with the reason of the signal, also where nothing comes', async () => {
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<Uint8Array> {
    await new Promise(() => undefined);
  }
  const checking = checkRows({ input: { kind: 'stream', bytes: silent() }, signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(checking).rejects.toBe(reason);
});
