import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, variable } from '../../system/context.js';
import { isForeignOwner } from '../../files/ownership.js';
import { gateDirectory } from '../../config/gate.js';
import { compileCacheDirectory, configDirectory, configPath, stateDirectory } from '../../files/paths.js';
import { resolvePath } from '../../files/resolve-path.js';
import { seenPetsPath } from '../../completion/seen-pets.js';
import { KEY_FILE, keysDirectory } from '../../credentials/key-file.js';
import { VERIFIED_FILE } from '../domain/verify/verified-memory.js';
import { HIDDEN_JOURNAL, hiddenFolder } from '../pets/import/hidden-journals.js';
import type { OpenPlace } from './facts.js';
import { ifAllowed } from './if-allowed.js';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In such a directory nobody removes or renames what is another's. */
const STICKY = 0o1000;

/** To be asked before anything is read, for that closes some of it. `undefined` where the system has no file modes. */
export async function lookAtPlaces(context: Context): Promise<OpenPlace[] | undefined> {
  const { userId, platform } = context;
  if (userId === undefined || platform === 'win32') return undefined;
  const { FILE_BUDGET } = await import('../../../client/index.js');
  return findOpenPlaces(context, userId, FILE_BUDGET);
}

/**
 * What the program has made, belongs to this user, and others on the machine can reach; and what has keys, or says where
 * they go, and belongs to another one. Looks at nothing else.
 */
function findOpenPlaces(context: Context, userId: number, budget: RegExp): OpenPlace[] {
  const at = (path: string): string => resolvePath(path, context);
  const isOpen: Look = (path, holds, isShared = false) => openPlace(path, userId, { holds, isShared });
  const state = at(stateDirectory(context));
  const code = compileCacheDirectory(context);
  return [
    ...isOpen(at(configDirectory(context)), 'configuration', isNamed('PETSTORE_CONFIG_DIR', context)),
    ...isOpen(at(configPath(context)), 'configuration'),
    ...folder(at(keysDirectory(context)), KEY_FILE, 'a key', isOpen),
    ...isOpen(state, 'state', isNamed('PETSTORE_STATE_DIR', context)),
    ...isOpen(at(seenPetsPath(context)), 'state'),
    ...isOpen(join(state, VERIFIED_FILE), 'state'),
    ...folder(gateDirectory(context), budget, 'state', isOpen),
    ...folder(at(hiddenFolder(context)), HIDDEN_JOURNAL, 'state', isOpen),
    // Whoever can write there decides what runs; anybody may read what everybody can install.
    ...(code === undefined ? [] : isOpen(code, 'code', true)),
  ];
}

type Look = (path: string, holds: OpenPlace['holds'], isShared?: boolean) => OpenPlace[];

/** What somebody named may be shared with others. */
function isNamed(name: string, context: Context): boolean {
  return variable(context, name) !== undefined;
}

/** A folder, where something in it shows that it is the program's own, and that. */
function folder(path: string, names: RegExp, holds: OpenPlace['holds'], isOpen: Look): OpenPlace[] {
  const own = (ifAllowed(() => readdirSync(path)) ?? []).filter((name) => names.test(name));
  // Into one of another user one may not be able to look.
  if (own.length === 0) return isOpen(path, holds).filter(({ ownerId }) => ownerId !== undefined);
  return [...isOpen(path, holds), ...own.flatMap((name) => isOpen(join(path, name), holds))];
}

function openPlace(
  path: string,
  userId: number,
  { holds, isShared }: Pick<OpenPlace, 'holds' | 'isShared'>,
): OpenPlace[] {
  const found = ifAllowed(() => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return [];
  const ownerId = judgesOwner(holds) ? foreignOwner(path, found, userId) : undefined;
  if (ownerId !== undefined)
    return [{ path, mode: found.mode & 0o777, holds, isShared, isDirectory: found.isDirectory(), ownerId }];
  if (found.uid !== userId) return [];
  if ((found.mode & (isShared ? OTHERS_WRITE : OTHERS)) === 0 || isKeptApart(found, isShared)) return [];
  return [{ path, mode: found.mode & 0o777, holds, isShared, isDirectory: found.isDirectory() }];
}

/** Of what has a key, or says where it goes. */
function judgesOwner(holds: OpenPlace['holds']): boolean {
  return holds === 'a key' || holds === 'configuration';
}

/** Of what stands there, or of the link to it. */
function foreignOwner(path: string, found: Stats, userId: number): number | undefined {
  const link = ifAllowed(() => lstatSync(path, { throwIfNoEntry: false }));
  return [link?.uid, found.uid].find(
    (ownerId) => ownerId !== undefined && isForeignOwner(ownerId, { userId }),
  );
}

function isKeptApart(found: Stats, isShared: boolean): boolean {
  return isShared && (found.mode & STICKY) !== 0;
}
