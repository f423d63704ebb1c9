// Imports of 10,000 and 100,000 rows by the library, without requests: memory, rate, journal, resume.
// Each runs in a separate process, to measure its memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeImportFile } from './import-file.mjs';
import { cleanEnv, report, ROOT, verdict } from './measure.mjs';

/** Maximum memory of an import. */
const MEMORY_MAX_MB = 150;
/** Many concurrent requests share one sync of the journal. Over a network a few are enough. */
const CONCURRENCY = 256;
const SIZES = [10_000, 100_000];

const [, script, folder, rows, resumed] = process.argv;
if (folder === undefined) await measureAll();
else await importRows(folder, Number(rows), resumed === 'resume');

async function measureAll() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    await build({
      entryPoints: [join(ROOT, 'src/bulk/internal.ts')],
      outfile: join(folder, 'bulk.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
    });
    const title = `import by the library, ${CONCURRENCY} at a time, without requests`;
    console.log(`\n${title}`);
    console.log('       rows   rows/s  RSS max MB  journal B/row  resume s  resume RSS MB');
    for (const size of SIZES) {
      await writeImportFile(join(folder, `${size}.csv`), size);
      const first = runChild(folder, size);
      const again = runChild(folder, size, 'resume');
      const journalBytes = statSync(join(folder, `${size}.csv.journal`)).size;
      const figures = [
        String(size).padStart(11),
        (size / first.seconds).toFixed(0).padStart(8),
        first.rssMb.toFixed(0).padStart(11),
        (journalBytes / size).toFixed(1).padStart(14),
        again.seconds.toFixed(2).padStart(9),
        again.rssMb.toFixed(0).padStart(14),
      ];
      const peakMb = Math.max(first.rssMb, again.rssMb);
      const goal = { bar: `≤ ${MEMORY_MAX_MB} MB`, met: peakMb <= MEMORY_MAX_MB };
      const rate = `${Math.round(size / first.seconds)} rows/s`;
      report({ title, name: `${size} rows`, value: `${Math.round(peakMb)} MB, ${rate}`, ...goal });
      console.log(`${figures.join(' ')}${verdict(goal)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runChild(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args.map(String)], {
    env: cleanEnv(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${fileURLToPath(import.meta.url)} ${args.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout);
}

async function importRows(folder, size, resume) {
  const { openImport } = await import(join(folder, 'bulk.mjs'));
  let id = 0n;
  const create = async (pet, { beforeSend, schema }) => {
    await beforeSend();
    id += 1n;
    return schema.parse({ id, ...pet });
  };
  const path = join(folder, `${size}.csv`);
  const startedAt = performance.now();
  const job = await openImport({
    input: { kind: 'file', path },
    journal: `${path}.journal`,
    service: 'http://127.0.0.1/v1',
    resume,
    clock: { now: Date.now, setTimeout: () => () => {} },
  });
  const { counts, sent } = await job.run({ pets: { create } }, { concurrency: CONCURRENCY });
  await job.close();
  if (counts.created + counts.alreadyDone !== size || sent !== (resume ? 0 : size))
    throw new Error(`wrong counts: ${JSON.stringify(counts)}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  // maxRSS is in kilobytes.
  console.log(JSON.stringify({ seconds, rssMb: process.resourceUsage().maxRSS / 1_024 }));
}
