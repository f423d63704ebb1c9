import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The keychain binding that npm installed for this system, and the licences of its packages; `undefined` without one.
 *
 * @returns {{ file: string, licences: string[] } | undefined}
 */
export function keyringBinding() {
  // Windows can't delete a loaded library, so each use of the keychain would leave a copy behind.
  if (process.platform === 'win32') return undefined;
  const manifest = resolved(import.meta.url, '@napi-rs/keyring/package.json');
  if (manifest === undefined) return undefined;
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const file = Object.keys(optionalDependencies)
    .map((name) => resolved(manifest, name))
    .find((path) => path !== undefined);
  if (file === undefined) return undefined;
  const licences = [join(dirname(manifest), 'LICENSE'), join(dirname(file), 'LICENSE.third-party.md')];
  return { file, licences: licences.filter((path) => existsSync(path)) };
}

function resolved(from, name) {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
