import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import type { Context } from './context.js';
import { variable } from './context.js';

/** What Node 22.1 and later have, and 20 has not. */
interface CompileCaching {
  enableCompileCache?: (directory: string) => unknown;
}

/**
 * Lets Node keep the compiled code of the program, which saves a tenth of a short command where Node can. In a folder of
 * the person's own, since whoever can write there decides what runs; Node's default is a folder that all users share.
 * Where it can't be written nothing is kept, and nothing else changes.
 */
export function cacheCompiledCode(
  host: Pick<Context, 'env' | 'platform'>,
  { enableCompileCache }: CompileCaching = module as CompileCaching,
): void {
  const directory = enableCompileCache === undefined ? undefined : compileCacheDirectory(host);
  if (directory !== undefined) enableCompileCache?.(directory);
}

/** Where the compiled code is kept; `undefined` where no place of the person's own is known. */
export function compileCacheDirectory(host: Pick<Context, 'env' | 'platform'>): string | undefined {
  const shared = variable(host, 'XDG_CACHE_HOME');
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'petstore', 'compiled');
  if (host.platform === 'win32') {
    const local = variable(host, 'LOCALAPPDATA');
    return local === undefined ? undefined : join(local, 'petstore', 'Cache', 'compiled');
  }
  const home = variable(host, 'HOME');
  if (home === undefined) return undefined;
  const caches = host.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(home, caches, 'petstore', 'compiled');
}
