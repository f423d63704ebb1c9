import { ConfigurationError } from '../../../errors.js';
import { missingDenoFlag } from '../../../foreign-error.js';
import { HAS_NODE_MODULES, nodeModule } from '../../../node-module.js';
import { stateDirectory } from '../../../security/state-directory.js';
import { checkGateOptions, type GateStore, needsNode } from '../gate-store.js';
import { FileBudgetStore } from './file-budget-store.js';
import { createMachineClock, processName } from './machine.js';

const fs = nodeModule('node:fs');
const nodePath = nodeModule('node:path');
const os = nodeModule('node:os');

/** Options of `fileGate`. */
export interface FileGateOptions {
  /**
   * Directory with one folder per budget. Created if missing, with access for its owner only. Must be on a local disk.
   *
   * @default the directory of the command: `gate` in the state directory
   */
  directory?: string | undefined;
}

/**
 * Stores the rate budget in files, shared by all processes of one user on one machine. A 429 response to one of them
 * delays the requests of all. Together they stay within the limit. For the option `gate`.
 *
 * File names and contents include neither the key nor the address. A process that dies blocks no other. Calls use a
 * budget in memory, with one warning, if the files can't be written. They also do so if another user could change the
 * directory or one above it.
 *
 * @throws ConfigurationError if `directory` is empty, for an unknown option, or outside of Node.js.
 *
 * @example
 * ```ts
 * const store = createPetStore({ apiKey, baseUrl, gate: fileGate({ directory: '/var/lib/my-app/gate' }) });
 * ```
 */
export function fileGate(options: FileGateOptions = {}): GateStore {
  checkGateOptions('fileGate', options, ['directory']);
  if (!HAS_NODE_MODULES) throw needsNode('fileGate');
  const directory = options.directory ?? defaultDirectory();
  if (typeof directory !== 'string' || directory === '') {
    throw new ConfigurationError('fileGate needs a directory', { option: 'gate' });
  }
  const root = nodePath.resolve(directory);
  return {
    id: `file:${root}`,
    open: (budget) =>
      new FileBudgetStore({
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

/** The directory of the command. Empty if the home directory is unknown. @throws ConfigurationError without a permission. */
function defaultDirectory(): string {
  try {
    const { env, platform } = process;
    return nodePath.join(stateDirectory({ env, platform, homeDirectory: os.homedir() }), 'gate');
  } catch (error) {
    const flag = missingDenoFlag(error);
    if (flag === undefined) return '';
    throw new ConfigurationError('fileGate() may not read the home directory', {
      option: 'gate',
      cause: error,
      hint: `Run Deno with ${flag}, or pass the option directory.`,
    });
  }
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
      if (!BUDGET_FOLDER_PATTERN.test(name)) continue;
      const folder = nodePath.join(root, name);
      const found = fs.lstatSync(folder);
      // In a folder such as /tmp, another user could replace parts of an own folder while they are removed.
      const isOwn = found.isDirectory() && found.uid === (process.geteuid?.() ?? found.uid);
      if (isOwn && Date.now() - found.mtimeMs > UNUSED_MS)
        fs.rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // Another process may remove them at the same time. A failing disk is reported by the store.
  }
}
