import { rmSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { readRegularFile } from '../../files/regular-file.js';
import type { MockServer, WebState } from '../../../mock/index.js';
import { resolvePath } from '../../files/resolve-path.js';
import { writeWholeFile } from './write-whole-file.js';

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

/** Writes the ready file. Only its owner can read it, because it contains keys. */
export function writeReadyFile(file: string, address: MockAddress, context: Context): void {
  writeWholeFile(file, resolvePath(file, context), [`${JSON.stringify(address, null, 2)}\n`]);
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
    return (JSON.parse(readRegularFile(path)) as Partial<MockAddress> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
