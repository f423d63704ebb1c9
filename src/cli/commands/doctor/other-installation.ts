import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Context } from '../../system/context.js';

/** The single executable contains Node.js. The wrapper of a version manager is a small file. */
const EXECUTABLE_SIZE_MIN = 1_000_000;

/** Returns the `petstore` that a shell starts, if that is another installation than this one; `undefined` if unknown. */
export function otherInstallation(context: Context): string | undefined {
  const { env, platform, programPath, currentDirectory = '/' } = context;
  // Windows has wrapper files instead of links.
  if (platform === 'win32' || programPath === undefined) return undefined;
  for (const folder of (env.PATH ?? '').split(':')) {
    const path = resolve(currentDirectory, folder, 'petstore');
    const found = realProgram(path);
    if (found === undefined) continue;
    // The wrapper of a version manager may start this program.
    const isInstallation = basename(found) === 'petstore.cjs' || statSync(found).size >= EXECUTABLE_SIZE_MIN;
    return isInstallation && found !== realProgram(programPath) ? path : undefined;
  }
  return undefined;
}

function realProgram(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
