import { ConfigurationError } from '../../../errors.js';
import { HAS_NODE_MODULES, nodeModule } from '../../../node-module.js';
import { checkGateOptions } from '../check-gate-options.js';
import type { GateStore } from '../gate-store.js';
import { needsNode } from '../needs-node.js';
import { createFileLedger } from './file-ledger.js';
import { createMachineClock } from './machine-time.js';
import { processName } from './process-name.js';

const fs = nodeModule('node:fs');
const nodePath = nodeModule('node:path');

/** Options of `fileGate`. */
export interface FileGateOptions {
  /**
   * Directory with one folder per budget. Created if missing, with access for its owner only. Must be on a local disk.
   */
  directory: string;
}

/**
 * Stores the rate budget in files, shared by all processes of one user on one machine: a 429 response to one of them
 * delays the requests of all, and together they stay within the limit. For the option `gate`.
 *
 * File names and contents include neither the key nor the address. A process that dies blocks no other. If the files
 * can't be written, calls use a budget in memory, with one warning.
 *
 * @throws ConfigurationError if `directory` is missing or empty, for an unknown option, or outside of Node.js.
 *
 * @example
 * ```ts
 * const store = createPetStore({ apiKey, baseUrl, gate: fileGate({ directory: '/var/lib/my-app/gate' }) });
 * ```
 */
export function fileGate(options: FileGateOptions): GateStore {
  checkGateOptions('fileGate', options, ['directory']);
  const { directory } = options;
  if (typeof directory !== 'string' || directory === '') {
    throw new ConfigurationError('fileGate needs a directory', { option: 'gate' });
  }
  if (!HAS_NODE_MODULES) throw needsNode('fileGate');
  const root = nodePath.resolve(directory);
  return {
    id: `file:${root}`,
    open: (budget) =>
      createFileLedger({
        folder: nodePath.join(root, PREFIX + budget),
        holder: processName(Math.random),
        readTime: createMachineClock(),
        onCreate: () => {
          removeUnused(root);
        },
      }),
    close: () => Promise.resolve(),
  };
}

const PREFIX = 'petstore-';
/** Name of a budget's folder: the prefix and a digest. */
export const BUDGET_FOLDER_PATTERN = new RegExp(`^${PREFIX}[0-9a-f]{32}$`);
/** No window is longer than a day, so an older budget is useless. */
const UNUSED_MS = 3 * 86_400_000;

/**
 * Removes budgets of keys that are no longer used. Called when a budget is created, so that folders do not accumulate.
 */
function removeUnused(root: string): void {
  try {
    for (const name of fs.readdirSync(root)) {
      const folder = nodePath.join(root, name);
      const isUnused =
        BUDGET_FOLDER_PATTERN.test(name) && Date.now() - fs.statSync(folder).mtimeMs > UNUSED_MS;
      if (isUnused) fs.rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // Another process may remove them at the same time. A failing disk is reported by the ledger.
  }
}
