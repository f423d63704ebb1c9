import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_MIN_BYTES = 2 * 2 ** 30;

/** On a disk, to create and remove a folder can take 5 ms. Tests do it thousands of times. */
const parent = isMemoryUsable() ? MEMORY_FOLDER : tmpdir();

/** Creates a folder with these files, removed after the test. Values that are not strings are written as JSON. */
export function temporaryFolder(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(parent, 'petstore-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Checks for a file system in memory that has space and can hold executables. Containers often have a small one. */
function isMemoryUsable(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).find(([, at]) => at === MEMORY_FOLDER)?.[3];
    if (options === undefined || /\b(ro|noexec)\b/.test(options)) return false;
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_MIN_BYTES;
  } catch {
    return false;
  }
}
