import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENV, runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const REX = { id: 7, name: 'Rex', categoryId: 1 };

async function remembered(line: string, world: World = {}): Promise<unknown> {
  const folder = join(temporaryFolder(), 'state');
  const env = { ...ENV, PETSTORE_STATE_DIR: folder };
  const { exitCode } = await runFake(line, { env, terminals: ['stdout'], ...world });
  expect(exitCode).toBe(0);
  const file = join(folder, 'seen-pets.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

test.each([
  ['pets list', [REX]],
  ['pets list --all', [REX]],
  ['pets create --name Rex --category 1', REX],
])('%s stores shown pets for completion', async (line, body) => {
  const responses = [{ status: line.includes('create') ? 201 : 200, body: JSON.stringify(body) }];
  expect(await remembered(line, { responses })).toEqual([['7', 'Rex']]);
});

test.each<[string, World]>([
  ['pets list', { terminals: [] }],
  ['pets list --mock', {}],
])('%s with %j stores nothing', async (line, world) => {
  expect(await remembered(line, { responses: [{ body: JSON.stringify([REX]) }], ...world })).toBeUndefined();
});
