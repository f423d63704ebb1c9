import { LockedFiles } from '../../src/security/locked-files.js';

/** The files of a lock for a path that is held until `isHeld` says otherwise. Drafts are next to the path. */
export function lockedFiles(path: string, isHeld: () => boolean = () => true): LockedFiles {
  return new LockedFiles({ path, isHeld, draftPath: (name) => `${path}.${name}.draft` });
}
