import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { whyNoRedisPackage } from '../support/redis-package.js';

/** The path of a program, and what it needs to start. */
export interface Program {
  path: string;
  /** Folders of its shared libraries. */
  libraryFolders: readonly string[];
  /** The folder that its package was unpacked into. Absent for an installed one. */
  unpacked?: string;
}

/** The servers that the tests run against. */
const SERVER_PROGRAMS = ['knotd', 'pdns_server', 'unbound'] as const;
/** The programs that sign zones, in addition. */
export const SIGNING_PROGRAMS = ['dnssec-keygen', 'dnssec-signzone'] as const;

/** Variables with the folders that packages were unpacked into. */
const UNPACKED = [
  'PETSTORE_TEST_DNS',
  'PETSTORE_TEST_MORE_DNS',
  'PETSTORE_TEST_REDIS',
  'PETSTORE_TEST_LIMITERS',
  'PETSTORE_TEST_SHELLS',
  'PETSTORE_TEST_PYTHON',
  'PETSTORE_TEST_BROWSER',
];
const PROGRAM_FOLDERS = ['usr/sbin', 'usr/bin', 'sbin', 'bin', 'lib/systemd'];
/** Folders of daemons, which may not be in PATH. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/lib/systemd'];

/**
 * Finds a program in the folders that Debian packages were unpacked into (`UNPACKED`), else on the machine.
 */
export function findProgram(name: string, env = process.env): Program | undefined {
  for (const variable of UNPACKED) {
    const unpacked = env[variable];
    const folders = (unpacked ?? '') === '' ? [] : PROGRAM_FOLDERS.map((folder) => join(unpacked!, folder));
    const path = firstProgram(folders, name);
    if (path !== undefined) return { path, libraryFolders: librariesIn(unpacked!), unpacked: unpacked! };
  }
  const system = [...(env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS].filter((folder) => folder !== '');
  const path = firstProgram(system, name);
  return path === undefined ? undefined : { path, libraryFolders: [] };
}

/** Why Redis can't be started; `undefined` if it can. */
export function whyNoRedis(env = process.env): string | undefined {
  if (whyNoRedisPackage !== undefined) return whyNoRedisPackage;
  if (findProgram('redis-server', env) !== undefined) return undefined;
  return 'not installed: redis-server; .ci/run fetches it, PETSTORE_TEST_REDIS sets its path';
}

/**
 * Why the servers can't be started; `undefined` if they can.
 *
 * @param others Programs that are needed too.
 */
export function whyNotHere(others: readonly string[] = [], env = process.env): string | undefined {
  // Only Linux has all of 127.0.0.0/8 by default, so that each server can have its own address.
  if (process.platform !== 'linux') return 'they run on Linux only';
  const missing = [...SERVER_PROGRAMS, ...others].filter((name) => findProgram(name, env) === undefined);
  if (missing.length === 0) return undefined;
  return `not installed: ${missing.join(', ')}; .ci/run fetches them, PETSTORE_TEST_DNS sets their path`;
}

/** Why a program can't have a mount namespace of its own; `undefined` if it can. */
export function whyNotIsolated(): string | undefined {
  const isAllowed = spawnSync('unshare', ['--mount', 'true']).status === 0;
  return isAllowed ? undefined : 'needs root with the right to mount';
}

function firstProgram(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Such as `usr/lib/x86_64-linux-gnu`. libpulse finds its private library only in the folder of an installed package. */
function librariesIn(unpacked: string): string[] {
  return ['usr/lib', 'lib']
    .map((folder) => join(unpacked, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.includes('-linux-'))
        .flatMap((name) => [join(folder, name), join(folder, name, 'pulseaudio')]),
    );
}
