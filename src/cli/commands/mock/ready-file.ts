import { lstatSync, rmSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';
import { refuseSpecialFile, resolveOutputPath, writing } from '../../system/files/output-file.js';
import { readRegularFile, replaceFile } from '../../system/files/safe-file.js';
import type { MockServer, WebState } from '../../../mock/index.js';
import { resolvePath } from '../../system/files/resolve-path.js';

/** The addresses and keys of a mock, for programs that wait for it. */
export interface MockAddress {
  pid: number;
  /** Value of the header `X-Mock-Instance` of every response. */
  id: string;
  url: string;
  baseUrl: string;
  port: number;
  /** Present with --dns-port. */
  dns?: NonNullable<MockServer['dns']>;
  /** Present with --dns-port. */
  web?: WebState;
  keys: readonly string[];
}

/** A ready file has at most some keys and a certificate. */
const BYTES_MAX = 2 ** 20;

/**
 * Refuses to replace what is not a ready file: it is removed when the mock ends. Scripts may create an empty file first.
 *
 * @throws UsageError
 */
export function checkReadyFile(file: string, context: Context): void {
  const path = resolveOutputPath(file, context);
  const found = writing(file, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return;
  if (found.isSymbolicLink())
    throw new UsageError(`${file} is a symbolic link`, 'Pass the path of the file itself.');
  refuseSpecialFile(file, found, 'Pass another file with --ready-file.');
  if (found.size === 0) return;
  const { pid, url } = readAddress(path) ?? {};
  if (typeof pid !== 'number' || typeof url !== 'string')
    throw new UsageError(
      `${file} exists and is not a ready file`,
      'Pass another file with --ready-file, or remove this one.',
    );
}

/** Writes the ready file. Only its owner can read it, because it contains keys. */
export function writeReadyFile(file: string, address: MockAddress, context: Context): void {
  writing(file, () => {
    replaceFile(resolvePath(file, context), [`${JSON.stringify(address, null, 2)}\n`]);
  });
}

/** Removes the ready file, unless another mock has replaced it. */
export function removeReadyFile(
  file: string,
  { pid, id }: Pick<MockAddress, 'pid' | 'id'>,
  context: Context,
): void {
  const path = resolvePath(file, context);
  const found = readAddress(path);
  if (found?.pid === pid && found.id === id) rmSync(path, { force: true });
}

/** Returns `undefined` if the file is not a ready file. */
function readAddress(path: string): Partial<MockAddress> | undefined {
  try {
    return (
      (JSON.parse(readRegularFile(path, { bytesMax: BYTES_MAX })) as Partial<MockAddress> | null) ?? undefined
    );
  } catch {
    return undefined;
  }
}
