import { beforeEach, expect, test, vi } from 'vitest';
import { type OutputFormat, render, type RenderOptions } from '../../../src/cli/output/index.js';
import { PLAIN } from './plain-options.js';

const loaded = vi.hoisted(() => new Set<string>());
vi.mock('chalk', (original) => (loaded.add('chalk'), original()));
vi.mock('cli-table3', (original) => (loaded.add('cli-table3'), original()));
vi.mock('string-width', (original) => (loaded.add('string-width'), original()));
vi.mock('@jmespath-community/jmespath', (original) => (loaded.add('jmespath'), original()));

beforeEach(() => {
  loaded.clear();
  vi.resetModules();
});

const columns = [{ field: 'id', header: 'id' }];

async function packagesFor(name: string, changed: Partial<RenderOptions>): Promise<string[]> {
  await render({ kind: 'list', rows: [{ id: name }], columns }, { ...PLAIN, ...changed });
  return [...loaded];
}

test.each<OutputFormat>(['tsv', 'csv', 'json', 'ndjson', 'yaml', 'ids'])(
  '-o %s loads no package',
  async (format) => {
    expect(await packagesFor('👩‍👩‍👧‍👦', { format })).toEqual([]);
  },
);

test('other formats load only what they need', async () => {
  expect(await packagesFor('Zoë 猫', { format: 'table' })).toEqual(['cli-table3']);
  expect(await packagesFor('👩‍👩‍👧‍👦', { format: 'table' })).toContain('string-width');
  expect(await packagesFor('Rex', { format: 'json', isTTY: true, colorLevel: 1 })).toContain('chalk');
  expect(await packagesFor('Rex', { query: '@' })).toContain('jmespath');
});
