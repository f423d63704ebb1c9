import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { configDirectory } from '../../config-files.js';
import { type Context, variable } from '../../context.js';
import { codeDirectory } from '../../kept-code.js';
import { resolvePath } from '../../resolve-path.js';
import { stateDirectory } from '../../state-directory.js';
import type { OpenPlace } from './facts.js';

/** What the program puts into its state directory, which somebody may have named, and so share with others. */
const STATE_FILES = ['seen-pets.json', 'verified-domains.json'];
const BUDGET = /^petstore-[0-9a-f]{32}$/;
const JOURNAL = /^\d{8}T\d{6}Z-[0-9a-f]{8}\.journal(?:\.|$)/;
const KEY = /\.key$/;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In such a directory nobody removes or renames what is another's. */
const STICKY = 0o1000;

/** To be asked before anything is read, for that closes some of it. `undefined` where the system has no file modes. */
export function lookAtPlaces(context: Context): OpenPlace[] | undefined {
  const { userId, platform } = context;
  return userId === undefined || platform === 'win32' ? undefined : findOpenPlaces(context, userId);
}

/** What the program has made, belongs to this user, and others on the machine can reach. Looks at nothing else. */
export function findOpenPlaces(context: Context, userId: number): OpenPlace[] {
  const at = (path: string): string => resolvePath(path, context);
  const config = at(configDirectory(context));
  const keys = join(config, 'keys');
  const code = codeDirectory(context);
  const isOpen: Look = (path, holds, isShared = false) => openPlace(path, userId, { holds, isShared });
  return [
    ...isOpen(config, 'configuration', variable(context, 'PETSTORE_CONFIG_DIR') !== undefined),
    ...isOpen(join(config, 'config.json'), 'configuration'),
    ...folder(keys, KEY, 'a key', isOpen),
    ...stateIn(at(stateDirectory(context)), context, isOpen),
    // Whoever can write there decides what runs; anybody may read what everybody can install.
    ...(code === undefined ? [] : isOpen(code, 'code', true)),
  ];
}

type Look = (path: string, holds: OpenPlace['holds'], isShared?: boolean) => OpenPlace[];

function stateIn(state: string, context: Context, isOpen: Look): OpenPlace[] {
  return [
    ...isOpen(state, 'state', variable(context, 'PETSTORE_STATE_DIR') !== undefined),
    ...STATE_FILES.flatMap((name) => isOpen(join(state, name), 'state')),
    ...folder(join(state, 'gate'), BUDGET, 'state', isOpen),
    ...folder(join(state, 'imports'), JOURNAL, 'state', isOpen),
  ];
}

/** A folder, where something in it shows that it is the program's own, and that. */
function folder(path: string, names: RegExp, holds: OpenPlace['holds'], isOpen: Look): OpenPlace[] {
  const own = (ifAllowed(() => readdirSync(path)) ?? []).filter((name) => names.test(name));
  if (own.length === 0) return [];
  return [...isOpen(path, holds), ...own.flatMap((name) => isOpen(join(path, name), holds))];
}

function openPlace(
  path: string,
  userId: number,
  { holds, isShared }: Pick<OpenPlace, 'holds' | 'isShared'>,
): OpenPlace[] {
  const found = ifAllowed(() => statSync(path, { throwIfNoEntry: false }));
  if (found?.uid !== userId) return [];
  if ((found.mode & (isShared ? OTHERS_WRITE : OTHERS)) === 0 || isKeptApart(found, isShared)) return [];
  return [{ path, mode: found.mode & 0o777, holds, isShared, isDirectory: found.isDirectory() }];
}

function isKeptApart(found: Stats, isShared: boolean): boolean {
  return isShared && (found.mode & STICKY) !== 0;
}

/** `undefined` also where one may not look. */
function ifAllowed<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
