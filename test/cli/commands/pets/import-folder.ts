import { join } from 'node:path';
import { ENV, runFake, type Scripted, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Three rows, and the responses to them. */
export const ROWS = 'name,categoryId,status\nRex,7,sold\nMia,8,\nBo,9,\n';

/** The service created the pet, by default of the category of that row. */
export const created = (id: number, categoryId = id + 6): Scripted => ({
  status: 201,
  body: `{"id":${String(id)},"name":"x","categoryId":${String(categoryId)}}`,
});

export const ALL_MADE = [created(1), created(2), created(3)];

/** The service rejects the row. */
export const rejected: Scripted = {
  status: 400,
  body: '{"code":"bad","message":"no such category","status":400}',
};

/** The response is lost. */
export const lost = new Error('connection reset');

/** A folder with rows, and a function that runs a command in it, one request at a time. */
export function setUp(files: Record<string, string> = { 'pets.csv': ROWS }) {
  const folder = temporaryFolder(files);
  const run = (line: string, world: World = {}) =>
    runFake(`pets import ${line} --concurrency 1`, {
      currentDirectory: folder,
      ...world,
      endlessFromMs: 5_000,
      // The wait before rows of unknown outcome are sent again.
      endingMs: 30_000,
      env: { ...ENV, PETSTORE_STATE_DIR: join(folder, 'state'), ...world.env },
    });
  return { folder, run, path: (name: string) => join(folder, name) };
}

/** The summary of an import in a pipe. */
export function summaryLines(
  ...counts: [created: number, alreadyDone: number, rejected: number, unknown: number, left: number]
): string {
  const names = ['created', 'already done', 'rejected', 'unknown', 'left'];
  return names.map((name, index) => `${name}\t${String(counts[index])}\n`).join('');
}
