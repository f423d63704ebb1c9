import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMock, type JournalEntry, type Mock, type MockOptions } from '../../src/mock/index.js';
import { runResident } from './resident-cli.js';
import { startCli, type StartOptions } from './run-cli.js';
import { temporaryFolder } from './temporary-folder.js';

const KEY = 'sk-import-secret';
const STATUSES = ['available', 'pending', 'sold'];

/** Makes rows with different names: `row 1`, `row 2`, … */
export function csv(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `row ${String(at + 1)},7,${STATUSES[at % 3]!}\r\n`);
  return `name,categoryId,status\r\n${rows.join('')}`;
}

/** Starts a service without pets for a folder with the input, `pets.csv`, and functions that run a command there. */
export async function importFolder(input: string, options: MockOptions = {}) {
  const mock = createMock({ keys: [KEY], plan: 'unlimited', pets: 0, ...options });
  const server = await mock.listen();
  onTestFinished(() => server.close());
  const folder = temporaryFolder({ 'pets.csv': input });
  const env = {
    PETSTORE_BASE_URL: server.baseUrl,
    PETSTORE_API_KEY: KEY,
    PETSTORE_STATE_DIR: join(folder, 'state'),
  };
  const inFolder = (more: StartOptions) => ({ cwd: folder, ...more, env: { ...env, ...more.env } });
  return {
    mock,
    folder,
    env,
    journal: join(folder, 'pets.csv.journal'),
    start: (line: string, more: StartOptions = {}) => startCli(line.split(' '), inFolder(more)),
    run: (line: string, more: StartOptions = {}) => runResident(line.split(' '), inFolder(more)),
  };
}

/** The writes that a service has received. */
export function writes(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter(({ method }) => method === 'POST');
}

/** The names of all pets of a service. */
export function petNames(mock: Mock): string[] {
  return mock.snapshot().worlds.flatMap(({ pets }) => pets.map(({ name }) => name));
}

/** Resolves when the service has received so many writes. */
export function received(mock: Mock, count: number): Promise<void> {
  return new Promise((resolve) => {
    const poll = setInterval(() => {
      if (writes(mock.journal).length < count) return;
      clearInterval(poll);
      resolve();
    }, 5);
  });
}
