import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { importPets, type ImportResult } from '../../src/bulk/index.js';
import { createPetStore, type PetStore } from '../../src/client/internal.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { csv, importFolder, petNames } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';

// importPets and the command have one journal.

const TABLE = 'name,categoryId\nRex,7\nMia,8\nZoe,9\n';
const CHILD = fileURLToPath(new URL('../support/import-pets-child.mjs', import.meta.url));
const ROWS = 60;

function storeFor(env: Record<string, string>): PetStore {
  const store = createPetStore({ apiKey: env.PETSTORE_API_KEY!, baseUrl: env.PETSTORE_BASE_URL! });
  onTestFinished(() => store.close());
  return store;
}

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

/** Kills a process at the 20th request, or while it handles the response. */
async function killedImport(start: 'library' | 'command', killAfterMs: number) {
  let [requests, kill] = [0, (): void => undefined];
  const found = await importFolder(csv(ROWS), {
    onRequest() {
      requests += 1;
      if (requests === 20) setTimeout(() => kill(), killAfterMs);
    },
  });
  const child =
    start === 'command'
      ? found.start('pets import pets.csv --on-unknown skip').child
      : spawn(process.execPath, [CHILD, compiled.url, join(found.folder, 'pets.csv')], {
          env: found.env,
          stdio: 'ignore',
        });
  kill = () => child.kill('SIGKILL');
  onTestFinished(kill);
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  return found;
}

const KILLS = [
  ['the command', 'library', 0],
  ['the library', 'command', 2],
  ['the command', 'library', 2],
  ['the library', 'command', 0],
] as const;

test.each(IS_FULL ? KILLS : KILLS.slice(0, 2))(
  '%s finishes an import of the %s, killed after %d ms (more with PETSTORE_TEST_FULL=1)',
  async (_, start, delayMs) => {
    const { mock, folder, env, run } = await killedImport(start, delayMs);
    const resume = async (): Promise<ImportResult> =>
      JSON.parse((await run('pets import pets.csv --resume --on-unknown skip --json')).stdout);
    const { created, alreadyDone, unknown, left } =
      start === 'library'
        ? await resume()
        : await importPets(storeFor(env), join(folder, 'pets.csv'), { onUnknown: 'skip' });
    expect(alreadyDone).toBeGreaterThan(0);
    expect({ left, rows: created + alreadyDone + unknown }).toEqual({ left: 0, rows: ROWS });
    const names = petNames(mock);
    expect(new Set(names).size).toBe(names.length);
    // The service can have a pet of a row whose outcome is unknown.
    expect(names.length).toBeGreaterThanOrEqual(created + alreadyDone);
    expect(names.length).toBeLessThanOrEqual(ROWS);
  },
);

test('continues with the same rows in another form', async () => {
  const { mock, env, run, folder } = await importFolder(TABLE);
  const journal = join(folder, 'j');
  const pets = ['Rex', 'Mia', 'Zoe'].map((name, at) => ({ name, categoryId: at + 7 }));
  expect(await importPets(storeFor(env), pets, { journal })).toMatchObject({ created: 3, complete: true });
  const { stdout } = await run('pets import pets.csv --resume --journal j --json');
  expect(JSON.parse(stdout)).toMatchObject({ created: 0, alreadyDone: 3, sent: 0 });
  expect(petNames(mock)).toEqual(['Rex', 'Mia', 'Zoe']);
});

test('names the same service, key and rows, whatever the spelling of the address', async () => {
  const { env, run, journal, folder } = await importFolder(TABLE);
  const [store, path, own] = [storeFor(env), join(folder, 'pets.csv'), join(folder, 'own')];
  await run('pets import pets.csv', { env: { PETSTORE_BASE_URL: `${env.PETSTORE_BASE_URL}/` } });
  await importPets(store, path, { journal: own });
  const planOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, 3);
  expect(planOf(own)).toEqual(planOf(journal));
  expect(await importPets(store, path)).toMatchObject({ created: 0, alreadyDone: 3, complete: true });
});
