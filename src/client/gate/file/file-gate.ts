import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../../errors.js';
import type { GateStore } from '../gate-store.js';
import { createFileLedger } from './file-ledger.js';
import { machineTime } from './machine-time.js';
import { processName } from './process-name.js';

/** What `fileGate` takes. */
export interface FileGateOptions {
  /** Where the budgets are kept, a folder each; made where it is missing, open to its owner alone. Local to the machine. */
  directory: string;
}

/**
 * Keeps the rate budget in files, for all processes of a user on one machine: a 429 that one of them gets holds all, and
 * together they send no more than is allowed. For the option `gate`. Neither the key nor the address is in a file or its
 * name. A process that dies blocks nobody; where files can't be written, the budget is kept in memory, with a warning.
 *
 * @throws ConfigurationError where no directory is named.
 */
export function fileGate({ directory }: FileGateOptions): GateStore {
  if (typeof directory !== 'string' || directory === '') {
    throw new ConfigurationError('fileGate needs a directory', { option: 'gate' });
  }
  const root = resolve(directory);
  return {
    id: `file:${root}`,
    open: (budget) =>
      createFileLedger({
        folder: join(root, PREFIX + budget),
        holder: processName(Math.random),
        time: machineTime(),
        onNew: () => {
          sweep(root);
        },
      }),
    close: () => Promise.resolve(),
  };
}

/** A budget that nobody has touched for so long says nothing any more: its day is over. */
const UNUSED_MS = 3 * 86_400_000;
/** A budget of ours is named by this and a digest. Whatever else lies there is none of our business. */
const PREFIX = 'petstore-';
/** What the folder of a budget is called. */
export const FILE_BUDGET = new RegExp(`^${PREFIX}[0-9a-f]{32}$`);

/** Takes away the budgets of keys that are no longer used. Done when a new one is made, so that they can't pile up. */
function sweep(root: string): void {
  try {
    for (const name of readdirSync(root)) {
      const folder = join(root, name);
      const isOld = FILE_BUDGET.test(name) && Date.now() - statSync(folder).mtimeMs > UNUSED_MS;
      if (isOld) rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // Another process sweeps too, or the disk fails: what matters is told elsewhere.
  }
}
