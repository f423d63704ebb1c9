// The input of the benchmarks of imports.
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Writes a CSV file with this number of pets. */
export async function writeImportFile(path, rows) {
  const file = createWriteStream(path);
  file.write('name,categoryId,status\n');
  for (let row = 1; row <= rows; row += 1) {
    const isTaken = file.write(`Pet ${row},${row % 97},${['available', 'pending', 'sold'][row % 3]}\n`);
    if (!isTaken) await new Promise((resolve) => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
}
