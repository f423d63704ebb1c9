import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findProgram } from './programs.js';

/** Why PyYAML can't be used; `undefined` if it can. */
export function whyNoPyYaml(env = process.env): string | undefined {
  try {
    runPython('import yaml', '', env);
    return undefined;
  } catch {
    return 'not installed: python3-yaml; .ci/run fetches it, PETSTORE_TEST_PYTHON sets its path';
  }
}

/** Runs a Python program. @returns its stdout. */
export function runPython(program: string, input: string, env = process.env): string {
  const { path, libraryFolders } = findProgram('python3', env) ?? { path: 'python3', libraryFolders: [] };
  const unpacked = env.PETSTORE_TEST_PYTHON ?? '';
  return execFileSync(path, ['-c', program], {
    input,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: env.PATH,
      PYTHONIOENCODING: 'utf-8',
      LD_LIBRARY_PATH: libraryFolders.join(':'),
      ...(unpacked === '' ? {} : { PYTHONPATH: join(unpacked, 'usr/lib/python3/dist-packages') }),
    },
  });
}
