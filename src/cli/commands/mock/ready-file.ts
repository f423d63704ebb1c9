import { rmSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { readRegularFile } from '../../files/regular-file.js';
import type { DnsAddress } from './dns-zones.js';
import { resolvePath } from '../../files/resolve-path.js';
import { writeWhole } from './whole-file.js';

/** Where a mock serves, for programs that wait for it. */
export interface MockAddress {
  pid: number;
  /** Which mock this is: also in the header `X-Mock-Instance` of its answers. */
  id: string;
  url: string;
  baseUrl: string;
  port: number;
  /** With --dns-port. */
  dns?: DnsAddress;
  keys: readonly string[];
}

/** Writes the ready file, for its owner alone: it holds keys. It appears whole: who sees it can read it. */
export function writeReadyFile(file: string, address: MockAddress, context: Context): void {
  writeWhole(file, `${JSON.stringify(address, null, 2)}\n`, context);
}

/** Takes the ready file away, where it is still that of this mock: it may be gone already, or of one begun since. */
export function removeReadyFile(
  file: string,
  { pid, id }: Pick<MockAddress, 'pid' | 'id'>,
  context: Context,
): void {
  const path = resolvePath(file, context);
  const found = readAddress(path);
  if (found?.pid === pid && found.id === id) rmSync(path, { force: true });
}

/** `undefined` for what is no ready file. */
function readAddress(path: string): Partial<MockAddress> | undefined {
  try {
    return (JSON.parse(readRegularFile(path)) as Partial<MockAddress> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
